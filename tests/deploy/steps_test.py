"""What each step runs, sees, prints and records."""

import json
import os
import pty
import signal
import time

from site_of_cluster import CALLS, CONFIGURATION, SECRET, ends, run_cases


def call_of(site, key):
    return next(call for call in site.calls() if call["call"] == key)


def wait_for(path, process):
    deadline = time.monotonic() + 20
    while not path.exists():
        assert process.poll() is None and time.monotonic() < deadline, "the program didn't start"
        time.sleep(0.01)


def test_whole_run(site):
    site.world(ready=4)
    ends(site.deploy("--yes"), 0, "OpenTofu v1.12.6", "Python 3.11.2", "Client Version: v1.35.8", "connection refused",
         "1 of 2 nodes aren't ready: prod-a-2", "ready after")
    assert site.changes() == CALLS
    assert site.state()["finished"]
    assert not (site.state_folder / "opentofu.plan").exists(), "the plan, which contains secrets, is still there"
    text = site.kubeconfig().read_text()
    assert "://10.2.128.5:6443\n" in text and text.startswith("# made by the installer\n"), text
    return "9 steps"


def test_environment_is_explicit(site):
    ends(site.deploy("--yes", "--pass-env", "TF_VAR_token", "--pass-env", "NOT_SET", STRANGE="x", TF_VAR_token="passed-token-01",
                     AWS_SECRET_ACCESS_KEY="x"), 0)
    seen = call_of(site, "tofu apply")["environment"]
    assert seen["OS_APPLICATION_CREDENTIAL_SECRET"] == SECRET
    assert seen["OS_AUTH_URL"] == "https://keystone.example.com:5000/v3" and seen["OS_INTERFACE"] == "public"
    assert seen["OS_IDENTITY_API_VERSION"] == "3" and seen["OS_PROJECT_NAME"] == "platform"
    assert seen["KUBECONFIG"] == str(site.kubeconfig()) and seen["TF_VAR_token"] == "passed-token-01"
    assert seen.keys() & {"STRANGE", "AWS_SECRET_ACCESS_KEY", "NOT_SET", "XDG_STATE_HOME"} == set()
    venv = str(site.state_folder / "venv")
    assert call_of(site, "ansible-playbook --inventory")["environment"]["VIRTUAL_ENV"] == venv
    assert call_of(site, "ansible-playbook --inventory")["folder"] == str(site.cluster / "kubespray")
    for call in site.calls():
        assert SECRET not in " ".join(call["arguments"]), "a secret is an argument"
    return f"{len(seen)} variables"


def test_output_is_redacted_over_reads(site):
    pieces = ["token=", SECRET[:7], SECRET[7:13], SECRET[13:] + "\n", "url https:", "//user:pass", "word-1@git.example.com/\n", SECRET[:5], SECRET[5:]]
    site.behaves("tofu apply", {"pieces": pieces, "exit": 1})
    text = ends(site.deploy("--yes"), 2, "token=<secret>\n", "user:<secret>@git.example.com/", "error[G308]", "`tofu apply` ended with exit code 1")
    log = site.logs()
    for shown in (text, log, (site.state_folder / "state.json").read_text()):
        for part in (SECRET, SECRET[:13], SECRET[5:], "password-1"):
            assert part not in shown, f"`{part}` is shown:\n{shown}"
    assert "token=<secret>\n" in log
    assert site.results()["opentofu-apply"] == "failed"
    site.behaves("tofu apply", {})
    ends(site.deploy("--yes"), 0, "resumes at opentofu-apply, which ended as failed")
    assert site.changes() == ["tofu init", "tofu plan", "tofu apply", "tofu plan", *CALLS[2:]]
    return f"{len(pieces)} pieces"


def test_private_files(site):
    ends(site.deploy("--yes"), 0)
    for folder, _, names in os.walk(site.folder / "state"):
        if "/venv" in folder:
            continue
        assert os.stat(folder).st_mode & 0o777 == 0o700, folder
        for name in names:
            assert os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o600, name
    assert site.kubeconfig().stat().st_mode & 0o777 == 0o600
    return "0700 and 0600"


def stop(site, number, word):
    waiting = site.folder / "waiting"
    site.behaves("tofu apply", {"until_signal": str(waiting)})
    process = site.start("--yes")
    wait_for(waiting, process)
    process.send_signal(number)
    text, _ = process.communicate(timeout=20)
    assert process.returncode == 128 + number, f"{process.returncode}\n{text}"
    assert f"stopping after signal {int(number)}" in text and text.count("stopping after") == 1, text
    assert f"error[G314]: interrupted by {word} in step `opentofu-apply`" in text, text
    assert site.results()["opentofu-apply"] == "interrupted"
    site.behaves("tofu apply", {})
    waiting.unlink()
    ends(site.deploy("--yes"), 0, "resumes at opentofu-apply, which ended as interrupted")


def test_sigint_reaches_the_program(site):
    stop(site, signal.SIGINT, "SIGINT")
    return "resumed"


def test_sigterm_reaches_the_program(site):
    stop(site, signal.SIGTERM, "SIGTERM")
    return "resumed"


def test_sigint_while_waiting(site):
    site.world(ready=1_000_000)
    process = site.start("--yes", "--ready-interval", "60")
    while not any(call["call"] == "kubectl --raw=/readyz" for call in site.calls()):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130 and site.results()["readiness"] == "interrupted"
    site.world(ready=0)
    site.forget_calls()
    ends(site.deploy("--yes"), 0)
    assert site.changes() == []
    return "at once"


def test_lock(site):
    waiting = site.folder / "waiting"
    site.behaves("tofu init", {"until_signal": str(waiting)})
    process = site.start("--yes")
    wait_for(waiting, process)
    ends(site.deploy("--yes"), 2, "error[G309]", "`acme/prod-a` is being deployed by tester on", f"its process is {process.pid}")
    # The other run is dead, but its program still works.
    process.kill()
    process.communicate()
    ends(site.deploy("--yes"), 2, "error[G309]", "a program of a run that was killed")
    site.behaves("tofu init", {})
    ends(site.deploy("--yes", "--break-lock"), 0)
    os.kill(int(waiting.read_text()), signal.SIGTERM)
    ends(site.deploy("--yes"), 0)
    return "held by a living program"


def test_lost_lock_stops_a_run(site):
    waiting = site.folder / "waiting"
    site.behaves("tofu init", {"until_signal": str(waiting)})
    process = site.start("--yes")
    wait_for(waiting, process)
    site.behaves("tofu init", {})
    ends(site.deploy("--yes", "--break-lock"), 0)
    os.kill(int(waiting.read_text()), signal.SIGTERM)
    text, _ = process.communicate(timeout=20)
    assert process.returncode == 2 and "error[G310]: another run has taken the lock of `acme/prod-a`" in text, text
    assert site.state()["finished"] and set(site.results().values()) == {"done"}
    return "no state written"


def test_lost_lock_stays_with_its_holder(site):
    first, second = site.folder / "first", site.folder / "second"
    site.behaves("tofu init", {"until_signal": str(first)})
    loser = site.start("--yes")
    wait_for(first, loser)
    site.behaves("tofu init", {"until_signal": str(second)})
    holder = site.start("--yes", "--break-lock")
    wait_for(second, holder)
    os.kill(int(first.read_text()), signal.SIGTERM)
    text, _ = loser.communicate(timeout=20)
    assert "G310" in text, text
    ends(site.deploy("--yes"), 2, "error[G309]", f"its process is {holder.pid}")
    os.kill(int(second.read_text()), signal.SIGTERM)
    text, _ = holder.communicate(timeout=20)
    assert "G308" in text and "G310" not in text, text
    return "not removed"


def test_question_on_a_terminal(site):
    for answer, code in ((b"y\n", 0), (b"n\n", 1), (b"\x03", 130)):
        site.forget_calls()
        run = Terminal(site)
        run.answer(b"apply this plan to acme/prod-a?", answer)
        assert run.end() == code, f"{answer}: {run.text}"
        assert ("tofu apply" in site.changes()) == (code == 0)
        if code != 0:
            expected = "interrupted" if code == 130 else "stopped"
            assert site.results()["opentofu-apply"] == expected, site.results()
    return "y, n, Ctrl-C"


class Terminal:
    """A run with a terminal of its own."""

    def __init__(self, site):
        self.text = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(site.folder)
            command = site.command()
            os.execve(command[0], command, site.environment())

    def answer(self, question, answer):
        while question not in self.text:
            self.text += os.read(self.terminal, 65536)
        os.write(self.terminal, answer)

    def end(self):
        try:
            while piece := os.read(self.terminal, 65536):
                self.text += piece
        except OSError:  # the other end is closed
            pass
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status)


def test_expired_lock(site):
    site.world(ready=1_000_000)
    process = site.start("--yes", "--ready-interval", "60", "--ready-timeout", "60", "--lock-ttl", "1")
    while not any(call["call"] == "kubectl --raw=/readyz" for call in site.calls()):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGSTOP)  # as a computer that sleeps
    time.sleep(2.1)
    site.world()
    ends(site.deploy("--yes"), 0, "took the lock of tester")
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=20)
    assert process.returncode == 2 and "G310" in text, text
    assert site.state()["finished"]
    return "taken after its time"


def test_expired_lock_of_a_living_program(site):
    waiting = site.folder / "waiting"
    site.behaves("tofu init", {"until_signal": str(waiting)})
    process = site.start("--yes", "--lock-ttl", "1")
    wait_for(waiting, process)
    process.send_signal(signal.SIGSTOP)
    time.sleep(2.1)
    ends(site.deploy("--yes"), 2, "error[G309]", "a program of a run that was killed")
    os.kill(int(waiting.read_text()), signal.SIGTERM)
    process.kill()
    process.communicate()
    site.behaves("tofu init", {})
    site.forget_calls_when_idle()
    ends(site.deploy("--yes"), 0)
    return "waits for the program"


def test_leftovers_of_an_orderly_run(site):
    site.behaves("tofu apply", {"leaves": 30, "exit": 1})
    ends(site.deploy("--yes"), 2, "error[G308]")
    site.behaves("tofu apply", {})
    ends(site.deploy("--yes"), 0)
    return "don't keep the lock"


def test_lock_of_another_machine(site):
    ends(site.deploy("--yes"), 0)
    lock = site.state_folder / "lock" / "lock"
    text = lock.read_text() if lock.exists() else ""
    soon = int(time.time()) + 600
    lock.write_text("capwright deploys acme/prod-a\n\nHolder: other\nHost: elsewhere\nProcess: 7\nRun: 0123\n"
                    f"Since: {soon - 3600}\nUntil: {soon}\n")
    ends(site.deploy("--yes"), 2, "error[G309]", "other on elsewhere")
    lock.write_text(lock.read_text().replace(str(soon), str(soon - 1200)))
    ends(site.deploy("--yes"), 0)
    assert text == "", "a finished run left its lock"
    return "counts until it expires"


def test_selected_steps(site):
    ends(site.deploy("--step", "opentofu-init"), 0)
    assert site.changes() == ["tofu init"]
    ends(site.deploy("--step", "opentofu-apply", "--yes"), 0)
    assert site.changes() == ["tofu init", "tofu plan", "tofu apply"]
    site.forget_calls()
    ends(site.deploy("--from-step", "venv-create"), 0)
    assert site.changes() == CALLS[3:]
    site.forget_calls()
    ends(site.deploy("--from-step", "normalize-kubeconfig"), 0)
    assert site.changes() == []
    return "as chosen"


def test_restart_and_changed_configuration(site):
    site.behaves("ansible-playbook --inventory", {"exit": 4})
    ends(site.deploy("--yes"), 2, "`ansible-playbook --inventory` ended with exit code 4")
    site.behaves("ansible-playbook --inventory", {})
    site.forget_calls()
    site.configure(CONFIGURATION.replace("10.2.128.5", "10.2.128.6"))
    ends(site.deploy("--yes"), 0, "the configuration has changed since the last run")
    assert site.changes() == CALLS
    site.forget_calls()
    ends(site.deploy("--yes", "--no-kubespray"), 0)
    assert site.changes() == CALLS[:3]
    site.behaves("kubectl version", {"exit": 1})
    ends(site.deploy("--yes"), 2)
    site.behaves("kubectl version", {})
    site.forget_calls()
    ends(site.deploy("--yes", "--restart"), 0)
    assert site.changes() == CALLS
    (site.state_folder / "state.json").write_text("{")
    ends(site.deploy("--yes"), 2, "error[G255]", "--restart")
    ends(site.deploy("--yes", "--restart"), 0)
    return "all steps again"


def test_needs_an_answer(site):
    ends(site.deploy(), 2, "error[G317]")
    assert site.changes() == []
    return "nothing ran"


def test_not_ready(site):
    site.world(ready=1_000_000)
    ends(site.deploy("--yes", "--ready-timeout", "0"), 2, "error[G313]", "connection refused")
    site.world()
    ends(site.deploy("--yes"), 0, "resumes at readiness")
    return "reported"


def test_links_are_refused(site):
    outside = site.folder / "outside"
    (outside / "inventory").mkdir(parents=True)
    site.cluster.rename(site.folder / "moved")
    site.cluster.symlink_to(outside)
    ends(site.deploy("--yes"), 2, "symbolic link")
    assert site.changes() == []
    site.cluster.unlink()
    (site.folder / "moved").rename(site.cluster)
    (site.cluster / "kubeconfig.yaml").symlink_to("/etc/passwd")
    ends(site.deploy("--yes"), 2, "symbolic link")
    assert not site.kubeconfig().exists()
    (site.cluster / "kubeconfig.yaml").unlink()
    (site.cluster / "kubeconfig.yaml").write_text("root: x\n")
    ends(site.deploy("--yes"), 2, "error[G311]")
    (site.cluster / "kubeconfig.yaml").unlink()
    # A link in the place of the file that is written is replaced, not followed.
    site.kubeconfig().parent.mkdir()
    site.kubeconfig().symlink_to(outside / "stolen")
    ends(site.deploy("--yes"), 0)
    assert not (outside / "stolen").exists() and not site.kubeconfig().is_symlink()
    config = site.folder / "acme" / ".prod-a-config.yaml"
    config.rename(outside / "config")
    config.symlink_to(outside / "config")
    ends(site.deploy("--yes"), 2, "symbolic link")
    return "five places"


def test_unusable_state_folder(site):
    (site.folder / "state").mkdir()
    (site.folder / "elsewhere").mkdir()
    (site.folder / "state" / "deploy" / "acme").mkdir(parents=True)
    site.state_folder.symlink_to(site.folder / "elsewhere")
    ends(site.deploy("--yes"), 2, "symbolic link", str(site.state_folder))
    assert list((site.folder / "elsewhere").iterdir()) == []
    return "refused"


def test_state_is_json(site):
    ends(site.deploy("--yes"), 0)
    assert [step["id"] for step in json.loads((site.state_folder / "state.json").read_text())["steps"]][0] == "preflight"
    return "in order"


run_cases(globals())
