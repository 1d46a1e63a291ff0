"""Hooks of mkdocs.yml: the pages are written for a Git host's viewer, and these make them work as a site.

* A page outside docs/ that a page links to, such as schemas/values/README.md, becomes a page under project/. A linked file
  that isn't a page is copied there. So the site needs no address of the repository.
* Fenced blocks may have a file name instead of a language, because the tests read them as files.
* Nested lists are indented by two or three spaces, where Python-Markdown expects four. Lists and fenced blocks may follow
  a paragraph without an empty line.
* The site loads nothing from other hosts.
"""

import logging
import os
import pathlib
import re

from markdown.extensions import Extension
from mkdocs.structure.files import File, InclusionLevel

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOG = logging.getLogger("mkdocs.hooks.capwright")
OUTSIDE = "project/"
LINK = re.compile(r"(?<!!)(\[[^\]]+\])\(([^()\s]+)\)")
FENCE = re.compile(r"^( *)```([^\s`]*[./][^\s`]*|\w+ file=\S+|[a-z-]+)$", re.M)
PROSE_OR_FENCE = re.compile(r"(^ *```.*?^ *```[^\S\n]*$)", re.S | re.M)
LIST_AFTER_TEXT = re.compile(r"^([^\s*|#>-].*\n)(?=[*-] )", re.M)
CODE_SPAN = re.compile(r"(`[^`\n]*`)")
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".j2": "jinja"}
LEXERS = {"yaml", "json", "sh", "console", "jinja", "cpp", "diff"}
REMOTE = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//|<link\b(?![^>]*rel=[\"']?canonical)"
                    r"[^>]*\bhref=[\"']?(?:https?:)?//|@import\s+url\([\"']?(?:https?:)?//")


class ShortIndent(Extension):
    """Python-Markdown reads the indent when it builds its parser. This builds it again, so it must come first."""

    def extendMarkdown(self, md):
        md.tab_length = 2
        md.build_parser()


def prose(text, replace):
    """Text without fenced blocks, with `replace` applied outside of code spans."""
    return "".join(span if span.startswith("`") else replace(span) for span in spans(text))


def spans(text):
    """Text and code spans in turn. A link's text may be a code span, so a whole link is text."""
    marked = LINK.sub(lambda link: link.group(0).replace("`", "\0"), text)
    return [span.replace("\0", "`") for span in CODE_SPAN.split(marked)]


def project_path(file):
    """The path of a page in the repository."""
    return file.src_uri.removeprefix(OUTSIDE) if file.src_uri.startswith(OUTSIDE) else "docs/" + file.src_uri


def site_path(path):
    return path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE + path


def target_of(page, link):
    """The file or folder of the repository that a relative link on the page `page` leads to, or nothing."""
    path = link.partition("#")[0]
    if not path or re.match(r"[a-z]+:", link):
        return None
    target = os.path.normpath(os.path.join(os.path.dirname(page), path))
    if (ROOT / target / "README.md").is_file():
        return target + "/README.md"
    return target


def outside_targets(page, text):
    """The existing files outside docs/ that a page links to."""
    found = []
    for part in PROSE_OR_FENCE.split(text)[::2]:
        prose(part, lambda span: found.extend(link for _, link in LINK.findall(span)) or span)
    targets = {target_of(page, link) for link in found}
    return {path for path in targets if path and not path.startswith("docs/") and (ROOT / path).is_file()}


def on_config(config):
    config["markdown_extensions"].insert(0, ShortIndent())
    return config


def on_files(files, config):
    waiting = [(project_path(file), file.content_string) for file in files.documentation_pages()]
    while waiting:
        page, text = waiting.pop()
        for path in sorted(outside_targets(page, text)):
            if files.get_file_from_path(OUTSIDE + path):
                continue
            added = File.generated(config, OUTSIDE + path, abs_src_path=str(ROOT / path))
            added.inclusion = InclusionLevel.INCLUDED
            files.append(added)
            if path.endswith(".md"):
                waiting.append((path, added.content_string))
    return files


def site_link(page, config, shown, link):
    """The link as the site has it. A folder has no page: it leads to the repository's address, if one is configured."""
    target = target_of(page, link)
    if target is None:
        return f"{shown}({link})"
    if (ROOT / target).is_dir():
        address = config.extra.get("source_url")
        return f"{shown}({address.rstrip('/')}/{target})" if address else shown[1:-1]
    relative = os.path.relpath(site_path(target), os.path.dirname(site_path(page)) or ".")
    anchor = link.partition("#")[2]
    return f"{shown}({relative}{'#' + anchor if anchor else ''})"


def fence(match):
    indent, info = match.groups()
    language, _, file = info.rpartition(" file=")
    if not language:
        if info in LEXERS:
            return match.group(0)
        file = info
        language = LANGUAGES.get(pathlib.PurePath(file).suffix, "text")
    return f'{indent}```{language} title="{file}"'


def table_row(line):
    """Python-Markdown doesn't split a table's cell inside a code span, and shows a backslash there."""
    if not line.startswith("|"):
        return line
    return CODE_SPAN.sub(lambda span: span.group(0).replace("\\|", "|"), line)


def on_page_markdown(markdown, page, config, files):
    path = project_path(page.file)

    def text(part):
        part = prose(part, lambda span: LINK.sub(lambda link: site_link(path, config, *link.groups()), span))
        part = "\n".join(map(table_row, part.split("\n")))
        return LIST_AFTER_TEXT.sub(r"\1\n", part)

    parts = PROSE_OR_FENCE.split(markdown)
    parts[::2] = map(text, parts[::2])
    parts[1::2] = (FENCE.sub(fence, part) for part in parts[1::2])
    return "\n".join(parts)  # Python-Markdown needs an empty line before and after a block


def on_post_page(output, page, config):
    if remote := REMOTE.search(output):
        LOG.error("%s loads from another host: %s", page.file.src_uri, remote.group(0))
    return output
