"""Archives with the same bytes for the same content: sorted members, one time, no owner. Members are {path: Member}."""

import gzip
import io
import tarfile
import typing
import zipfile


class Member(typing.NamedTuple):
    data: bytes
    mode: int = 0o644


def folders_of(paths):
    """All folders above the paths, without the root."""
    return sorted({"/".join(parts[:count]) for parts in (path.split("/") for path in paths) for count in range(1, len(parts))})


def tar(members, epoch, prefix=""):
    """A tar file with an entry for each folder, as dpkg expects; names start with `prefix`."""
    buffer = io.BytesIO()
    entries = [(folder, None) for folder in folders_of(members)] + list(members.items())
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path, member in sorted(entries, key=lambda entry: entry[0]):
            info = tarfile.TarInfo(prefix + path)
            info.mtime, info.uname, info.gname = epoch, "root", "root"
            if member is None:
                info.type, info.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(info)
            else:
                info.size, info.mode = len(member.data), member.mode
                archive.addfile(info, io.BytesIO(member.data))
    return buffer.getvalue()


def compressed(data):
    """gzip without a name and a time."""
    return gzip.compress(data, compresslevel=6, mtime=0)


def zipped(members, epoch_parts):
    """A zip file; `epoch_parts` is the time as (year, month, day, hour, minute, second)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, member in members.items():
            info = zipfile.ZipInfo(path, epoch_parts)
            info.create_system, info.external_attr = 3, (0o100000 | member.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.data)
    return buffer.getvalue()


def ar(members, epoch):
    """The common archive of ar(5), in the order of `members`."""
    parts = [b"!<arch>\n"]
    for path, data in members.items():
        parts.append(f"{path:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data)
        parts.append(b"\n" * (len(data) % 2))
    return b"".join(parts)
