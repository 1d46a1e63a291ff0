// `capwright completion`: scripts that let a shell complete commands, options and names of the repository. They ask
// `capwright __complete` (complete.h).
#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"

namespace capwright::cli {
namespace {

enum class Shell : std::uint8_t { Bash, Zsh, Fish };

struct CompletionOptions {
  Shell shell = Shell::Bash;
};

// bash splits words at `=` and `:`, and replaces only what follows the last of them. The script joins the words that no
// space separates, and removes from each candidate what bash keeps.
constexpr const char* kBash = R"(# Completion of capwright for bash 4.4 or later: source <(capwright completion bash)

_capwright() {
  local line=${COMP_LINE:0:COMP_POINT} rest i candidate cut='' lead=''
  local -a words=() found=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    ((i > 0)) && [[ $rest == "$line" ]] || words+=('')
    if ((i == COMP_CWORD)); then
      words[-1]+=$rest
    else
      words[-1]+=${COMP_WORDS[i]}
      line=${rest#"${COMP_WORDS[i]}"}
    fi
  done
  local current=${words[-1]}
  mapfile -t found < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  ((${#found[@]})) || return 0
  local asked=${found[-1]}
  unset 'found[-1]'
  for i in = :; do
    candidate=${current%"${current##*"$i"}"}
    [[ $COMP_WORDBREAKS == *"$i"* ]] && ((${#candidate} > ${#cut})) && cut=$candidate
  done
  [[ $asked == *' nospace'* ]] && compopt -o nospace 2>/dev/null
  if [[ $asked == *' files'* || $asked == *' dirs'* ]]; then
    lead=${current%"${current##*=}"}
    compopt -o filenames 2>/dev/null
    local kind=-d
    [[ $asked == *' files'* ]] && kind=-f
    while IFS= read -r candidate; do
      found+=("$lead$candidate")
    done < <(compgen "$kind" -- "${current#"$lead"}")
  fi
  for candidate in "${found[@]}"; do
    candidate=${candidate%%$'\t'*}
    COMPREPLY+=("${candidate#"$cut"}")
  done
}

complete -F _capwright capwright
)";

constexpr const char* kZsh = R"(#compdef capwright
# Completion of capwright for zsh: a file `_capwright` in a folder of $fpath, or source <(capwright completion zsh)

_capwright() {
  local line meaning asked
  local -a found candidates more
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  asked=$found[-1]
  found[-1]=()
  for line in $found; do
    meaning=
    [[ $line == *$'\t'* ]] && meaning=:${line#*$'\t'}
    candidates+=("${${line%%$'\t'*}//:/\\:}$meaning")
  done
  [[ $asked == *' nospace'* ]] && more=(-S '')
  (($#candidates)) && _describe -t words word candidates "${(@)more}"
  if [[ $asked == *' files'* || $asked == *' dirs'* ]]; then
    compset -P '*='
    if [[ $asked == *' files'* ]]; then
      _files
    else
      _files -/
    fi
  fi
}

if [[ $funcstack[1] == _capwright ]]; then
  _capwright "$@"
else
  compdef _capwright capwright
fi
)";

constexpr const char* kFish =
    R"(# Completion of capwright for fish: capwright completion fish > ~/.config/fish/completions/capwright.fish

function __capwright_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program __complete $words "$current" 2>/dev/null)
    or return
    set -l asked $found[-1]
    set -e found[-1]
    string join -- \n $found
    set -l lead (string match -r -- '^.*=' "$current")
    set -l name (string replace -r -- '^.*=' '' "$current")
    if string match -q -- '* files*' "$asked"
        for path in (__fish_complete_path "$name")
            echo "$lead$path"
        end
    else if string match -q -- '* dirs*' "$asked"
        for path in (__fish_complete_directories "$name" '')
            echo "$lead$path"
        end
    end
end

complete -c capwright -f -k -a '(__capwright_complete)'
)";

int run_completion(const CompletionOptions& options) {
  const CommonOptions common;
  Console console(common);
  switch (options.shell) {
    case Shell::Bash: console.print(kBash); break;
    case Shell::Zsh: console.print(kZsh); break;
    case Shell::Fish: console.print(kFish); break;
  }
  return console.finish();
}

class CompletionCommand final : public CommandWith<CompletionOptions> {
 public:
  void add_options(CLI::App& app) override {
    add_choice<Shell>(app, "shell", options_.shell, {{"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}},
                      "Shell that reads the script")
        ->required();
  }
  int run() override { return run_completion(options_); }
};

}  // namespace

const CommandInfo completion_command{
    "completion",
    "Print a script that completes commands in a shell",
    make_command<CompletionCommand>,
    {{"Complete in this bash; also a line for ~/.bashrc", "source <(capwright completion bash)"},
     {"Install for zsh, in a folder of $fpath", "capwright completion zsh > ~/.zfunc/_capwright"},
     {"Install for fish", "capwright completion fish > ~/.config/fish/completions/capwright.fish"}}};

}  // namespace capwright::cli
