#!/usr/bin/env python3
"""`capwright audit` on SQLite and on a temporary PostgreSQL server: rows of commits are stored once, contain no secrets, and
can be recreated from Git alone.

    CAPWRIGHT=build/dev/capwright audit_test.py

The server is Debian's, started in a scratch folder, on a socket there. The output notes if it isn't installed.
"""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
CANARY = "a-canary-that-nobody-may-see"
REMOTE = "https://git.example.com/platform/fleet.git"

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


class Repository:
    def __init__(self, scratch, name, database=None):
        self.folder = scratch / name
        shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", self.folder)
        self.variables = {"PATH": os.environ["PATH"], "HOME": str(scratch), "GIT_CONFIG_NOSYSTEM": "1",
                          "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C.UTF-8"}
        settings = [f"  database: {database}"] if database else []
        with (self.folder / "capwright.yaml").open("a") as file:
            file.write("\n".join(["", "audit:", "  store_files: true", *settings, ""]))
        with (self.folder / "values" / "prod-a.yaml").open("a") as file:
            file.write(f"\nsecrets:\n  management: {{application_credential_secret: {CANARY}}}\n")
        for command in ("init -q -b main", "config user.name Team", "config user.email fleet@example.com",
                        f"remote add origin {REMOTE.replace('//', '//a-login:a-token@')}"):
            self.run("git", *command.split())
        self.render_and_commit()

    def run(self, *command, exit_code=0):
        done = subprocess.run(command, cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        expect(CANARY not in done.stdout + done.stderr, f"{command} shows no secret")
        if done.returncode != exit_code:
            expect(False, f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def audit(self, *arguments, exit_code=0):
        return self.run(CAPWRIGHT, "audit", *arguments, exit_code=exit_code)

    def commit(self):
        self.run("git", "add", "--all")
        self.run("git", "commit", "-q", "-m", "x")

    def render_and_commit(self):
        self.run(CAPWRIGHT, "render", "-q")
        self.commit()

    def edit(self, path, old, new):
        file = self.folder / path
        text = file.read_text()
        assert old in text, (path, old)
        file.write_text(text.replace(old, new, 1))

    def verdicts(self, *arguments, exit_code=0):
        found = json.loads(self.audit("verify", *arguments, "-f", "json", exit_code=exit_code).stdout)
        return {render["cluster"]: render for render in found["renders"]}


def check_rows(repository):
    recorded = repository.audit("record")
    expect("3 of 3 clusters recorded" in recorded.stderr, f"a row a cluster: {recorded.stderr}")
    expect("0 of 3" in repository.audit("record").stderr, "and none the second time")
    listed = repository.audit("list").stdout
    expect(len(listed.splitlines()) == 3 and "Team <fleet@example.com>" in listed, f"three lines: {listed}")
    row = json.loads(repository.audit("show", "prod-a", "-f", "json").stdout)["renders"][0]
    head = repository.run("git", "rev-parse", "HEAD").stdout.strip()
    expect(row["source"] == row["commit"] == head and row["branch"] == "main", "where it came from and went")
    expect(row["remote"] == REMOTE, f"no login is kept: {row['remote']}")
    expect(row["values"]["secrets"]["management"]["application_credential_secret"] == "<secret>", "secrets are covered")
    expect(row["values"]["cluster_name"] == "prod-a" and row["template_set"] == "capo", "what it was rendered from")
    for file in row["files"]:
        text = (repository.folder / file["path"]).read_bytes()
        expect(file["size"] == len(text) and file["text"].encode() == text, f"{file['path']} is kept")
    expect("sha256:" in repository.audit("show", row["id"][:8]).stdout, "rows are found by the beginning of their ids")
    repository.audit("show", "nobody", exit_code=2)


def check_verdicts(repository):
    everything = repository.verdicts()
    expect({render["verdict"] for render in everything.values()} == {"same"} and len(everything) == 3, "all are the same")
    repository.edit("values/edge-1.yaml", "control_plane_count: 3", "control_plane_count: 5")
    repository.commit()
    refused = repository.audit("record", exit_code=1)
    expect("edge-1" in refused.stderr, f"what isn't rendered isn't recorded: {refused.stderr}")
    repository.render_and_commit()
    expect("1 of 3" in repository.audit("record").stderr, "one cluster has changed")
    rows = json.loads(repository.audit("list", "edge-1", "-f", "json").stdout)["renders"]
    expect(len(rows) == 2 and rows[0]["published_at"] >= rows[1]["published_at"], "the newest comes first")
    expect(len(repository.audit("list", "-n", "2").stdout.splitlines()) == 2, "-n limits")
    for row in rows:
        found = json.loads(repository.audit("verify", row["id"], "-f", "json").stdout)["renders"]
        expect([render["verdict"] for render in found] == ["same"], f"an older commit is rendered as it was: {found}")


def check_tampering(repository, execute):
    """Rows and commits that were changed afterwards."""
    execute("UPDATE cluster_renders SET tool_version = '0.0.1' WHERE cluster = 'prod-a'")
    found = repository.verdicts("prod-a", exit_code=1)["prod-a"]
    expect(found["verdict"] == "other-version" and "0.0.1" in found["faults"][0], f"another version: {found}")
    expect(repository.verdicts("prod-a", "--any-version")["prod-a"]["verdict"] == "same", "--any-version")
    digest = re.search(r"[0-9a-f]{64}(?=  clusters/prod-a/cluster.yaml)", repository.audit("show", "prod-a").stdout)[0]
    execute(f"UPDATE cluster_renders SET files = replace(files, '{digest}', '{'0' * 64}') WHERE cluster = 'prod-a'")
    found = repository.verdicts("prod-a", "--any-version", exit_code=1)["prod-a"]
    expect(found["verdict"] == "differs" and len(found["faults"]) == 2, f"a changed digest: {found}")
    execute("UPDATE cluster_renders SET source_commit = '4c1f0a7e2b0d9a6c2f3b5d7e9a1c3e5f7a9b1d3f'")
    found = repository.verdicts("satellite-workload-1", exit_code=1)["satellite-workload-1"]
    expect(found["verdict"] == "unknown", f"a commit that isn't here: {found}")


# Layout 1, as the first released program made it.
OLDEST = """CREATE TABLE cluster_renders (id TEXT PRIMARY KEY, cluster TEXT NOT NULL, values_path TEXT NOT NULL,
template_set TEXT NOT NULL, template_set_version TEXT NOT NULL, tool_version TEXT NOT NULL, source_commit TEXT NOT NULL,
commit_id TEXT NOT NULL, remote TEXT NOT NULL, branch TEXT NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL,
published_at BIGINT NOT NULL, input_digest TEXT NOT NULL, number BIGINT NOT NULL, input_values TEXT NOT NULL,
files TEXT NOT NULL)"""
OLD_ROW = """INSERT INTO cluster_renders VALUES ('0011223344556677', 'old', 'values/old.yaml', 'capo', '1', '0.1.0', '', '', '', 'main',
'Team', 'host', 1700000000, '', 1, '{}', '[]')"""
TABLES = ("cluster_renders", "audit_layouts", "publish_requests")


def check_layouts(repository, execute, query):
    """`query` answers with the first column of all rows, or None if there is no such table."""

    def begin():
        for table in TABLES:
            execute(f"DROP TABLE IF EXISTS {table}")
        execute(OLDEST)
        execute("CREATE INDEX cluster_renders_by_cluster ON cluster_renders (cluster, number)")
        execute(OLD_ROW)

    layouts = "SELECT version FROM audit_layouts ORDER BY version"
    begin()
    expect("old" in repository.audit("list").stdout and query(layouts) is None, "an older layout is read as it is")
    repository.audit("record")
    expect(query(layouts) == ["1", "2"], f"a writer brings it to the newest layout: {query(layouts)}")
    expect(query("SELECT COUNT(*) FROM cluster_renders") == ["4"], "its rows stay")
    expect(query("SELECT COUNT(*) FROM publish_requests") == ["0"], "a table of the next layout")
    repository.audit("record")
    expect(query(layouts) == ["1", "2"], "and no more")
    begin()
    execute("CREATE TABLE publish_requests (something_else TEXT)")
    refused = repository.audit("record", exit_code=2)
    expect("from layout 1 to 2" in refused.stderr, f"a layout that can't be reached: {refused.stderr}")
    expect(query(layouts) is None and query("SELECT COUNT(*) FROM cluster_renders") == ["1"], "then nothing has changed")
    execute("DROP TABLE publish_requests")
    repository.audit("record")
    execute("INSERT INTO audit_layouts VALUES (3)")
    for command in ("list", "record"):
        refused = repository.audit(command, exit_code=2)
        expect("to layout 3" in refused.stderr and "up to 2" in refused.stderr, f"a newer layout is refused: {refused.stderr}")
    execute("DELETE FROM audit_layouts WHERE version = 3")
    repository.audit("list")


def check_sqlite(scratch):
    repository = Repository(scratch, "sqlite")
    expect("nothing is recorded yet" in repository.audit("list", exit_code=2).stderr, "no row, no file")
    check_rows(repository)
    check_verdicts(repository)
    file = repository.folder / ".git" / "capwright" / "audit.db"
    expect(CANARY.encode() not in file.read_bytes(), "no secret is in the file")

    def execute(statement):
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.execute(statement)

    def query(statement):
        with contextlib.closing(sqlite3.connect(file)) as database:
            try:
                return [str(row[0]) for row in database.execute(statement)]
            except sqlite3.OperationalError:
                return None

    check_tampering(repository, execute)
    check_layouts(repository, execute, query)
    file.write_bytes(b"something else " * 100)
    expect("not a database" in repository.audit("list", exit_code=2).stderr, "a file that is no database")
    repository.edit("capwright.yaml", "audit:", "audit:\n  database: postgresql://audit:a-password@db.example.com/x")
    refused = repository.audit("list", exit_code=2)
    expect("a-password" not in refused.stderr and "password" in refused.stderr, "a password in the URL is refused")


def check_publish(scratch):
    """`capwright publish` adds rows, also for a branch with rendered files only."""
    repository = Repository(scratch, "publish")
    remote = scratch / "remote.git"
    repository.run("git", "init", "-q", "--bare", remote)
    repository.run("git", "remote", "set-url", "origin", f"file://{remote}")
    (repository.folder / "capwright.yaml").write_text(
        (repository.folder / "capwright.yaml").read_text() + "publish:\n  branch: rendered\n")
    repository.edit("values/prod-a.yaml", f"{{application_credential_secret: {CANARY}}}", "{}")  # a lint error
    repository.commit()
    repository.run("git", "push", "-q", "origin", "HEAD")
    repository.run(CAPWRIGHT, "publish", "--yes")
    row = json.loads(repository.audit("show", "prod-a", "-f", "json").stdout)["renders"][0]
    source = repository.run("git", "rev-parse", "HEAD").stdout.strip()
    pushed = repository.run("git", "ls-remote", "origin", "rendered").stdout.split()[0]
    expect((row["source"], row["commit"], row["branch"]) == (source, pushed, "rendered"), f"the commits: {row}")
    expect({render["verdict"] for render in repository.verdicts().values()} == {"same"}, "it is rendered again")
    repository.edit("values/edge-1.yaml", "control_plane_count: 3", "control_plane_count: 5")
    repository.commit()
    repository.run("git", "push", "-q", "origin", "HEAD")
    repository.run(CAPWRIGHT, "publish", "--yes")
    expect(len(repository.audit("list").stdout.splitlines()) == 4, "a row for the cluster that changed")
    expect(len(repository.verdicts()) == 3, "and all can be rendered again")
    check_removals(repository)


def check_removals(repository):
    """A cluster that is removed and added again."""
    values = (repository.folder / "values" / "edge-1.yaml").read_text()
    (repository.folder / "values" / "edge-1.yaml").unlink()
    repository.commit()
    repository.run("git", "push", "-q", "origin", "HEAD")
    for _ in range(2):
        repository.run(CAPWRIGHT, "publish", "--yes", "--prune", "--allow-delete", "edge-1")
        rows = json.loads(repository.audit("list", "edge-1", "-f", "json").stdout)["renders"]
        expect([row["removed"] for row in rows] == [True, False, False], f"one row more: {rows}")
    row = json.loads(repository.audit("show", "edge-1", "-f", "json").stdout)["renders"][0]
    pushed = repository.run("git", "ls-remote", "origin", "rendered").stdout.split()[0]
    expect((row["commit"], row["who"]) == (pushed, "Team <fleet@example.com>"), f"by whom, in which commit: {row}")
    expect((row["template_set"], row["values_path"], row["files"], row["values"]) == ("capo", "", [], None), f"no more: {row}")
    expect("removed, was capo" in repository.audit("list", "edge-1", "-n", "1").stdout, "the list says so")
    expect("the cluster was removed from the branch" in repository.audit("show", "edge-1").stdout, "and `show` too")
    verdicts = repository.verdicts()
    expect({name: render["verdict"] for name, render in verdicts.items()} ==
           {"edge-1": "removed", "prod-a": "same", "satellite-workload-1": "same"}, f"nothing to compare: {verdicts}")
    expect("2 of 2 are the same, 1 was removed" in repository.audit("verify").stderr, "it is counted apart")
    (repository.folder / "values" / "edge-1.yaml").write_text(values)
    repository.commit()
    repository.run("git", "push", "-q", "origin", "HEAD")
    repository.run(CAPWRIGHT, "publish", "--yes")
    expect(repository.verdicts("edge-1")["edge-1"]["verdict"] == "same", "it is back")


def postgres_programs():
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


@contextlib.contextmanager
def postgres(programs, scratch):
    """A temporary server. It refuses to run as root; then its folder belongs to another user."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pg", dir=scratch))
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:
        scratch.chmod(0o755)
        shutil.chown(folder, user)
    run = {"cwd": folder, "user": user if os.getuid() == 0 else None, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
           "check": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "timeout": 120}
    subprocess.run([programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "audit", "-N"], **run)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    subprocess.run([programs / "pg_ctl", "-D", folder / "data", "-o", options, "-l", folder / "log", "-w", "start"], **run)
    try:
        yield f"postgresql://audit@/postgres?host={folder}"
    finally:
        subprocess.run([programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop"], **run)


def check_first_writers(repository, sql):
    """Several processes without a table create it concurrently."""
    repository.edit("capwright.yaml", "writer@", "audit@")
    repository.commit()
    for _ in range(6):
        sql(f"DROP TABLE {', '.join(TABLES)}")
        runs = [subprocess.Popen([CAPWRIGHT, "audit", "record"], cwd=repository.folder, env=repository.variables,
                                 text=True, stderr=subprocess.PIPE)
                for _ in range(8)]
        words = [run.communicate(timeout=120)[1] for run in runs]
        expect([run.returncode for run in runs] == [0] * 8, f"all of the first writers: {words}")
        expect(sql("SELECT COUNT(*) FROM cluster_renders").strip() == "3", "each row is there once")


def check_postgres(scratch):
    programs = postgres_programs()
    if programs is None:
        print("PostgreSQL is not installed: only SQLite was tested")
        return
    with postgres(programs, scratch) as url:
        repository = Repository(scratch, "postgres", url)
        repository.audit("list", exit_code=2)
        check_rows(repository)
        check_verdicts(repository)

        def sql(statement):
            return subprocess.run([programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement, url],
                                  capture_output=True, text=True, check=True).stdout

        def query(statement):
            try:
                return sql(statement).split()
            except subprocess.CalledProcessError:
                return None

        dump = sql("SELECT * FROM cluster_renders")
        expect(dump.count("satellite-workload-1") > 0 and CANARY not in dump, "no secret is in the table")
        sql("CREATE ROLE writer LOGIN; GRANT SELECT, INSERT ON cluster_renders TO writer; GRANT SELECT ON audit_layouts TO writer; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        repository.edit("capwright.yaml", "audit@", "writer@")
        repository.edit("values/edge-1.yaml", "control_plane_count: 5", "control_plane_count: 3")
        repository.render_and_commit()
        expect("1 of 3" in repository.audit("record").stderr, "who adds rows needs no other right")
        for before, after in ((3, 5), (5, 3), (3, 5)):  # faster than the clock's seconds
            repository.edit("values/edge-1.yaml", f"control_plane_count: {before}", f"control_plane_count: {after}")
            repository.render_and_commit()
            expect("1 of 3" in repository.audit("record").stderr, "what is published last is the newest")
        check_tampering(repository, sql)
        check_first_writers(repository, sql)
        check_layouts(repository, sql, query)
    repository.audit("list", exit_code=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder).resolve()
        check_sqlite(scratch)
        check_publish(scratch)
        check_postgres(scratch)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
