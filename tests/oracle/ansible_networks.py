"""The `ipaddr` family of the ansible.utils collection: its functions, and random calls of them."""

import functools
import importlib

NAMES = ["ipaddr", "ipv4", "ipv6", "ipwrap", "ipmath", "ipsubnet", "nthhost", "cidr_merge", "network_in_network",
         "network_in_usable", "next_nth_usable", "previous_nth_usable", "reduce_on_network"]
WEIGHTED_NAMES = ["ipaddr"] * 12 + ["ipsubnet"] * 4 + ["cidr_merge"] * 2 + NAMES
PACKAGE = "ansible_collections.ansible.utils.plugins.filter."


def load():
    """{name: function}, or None without netaddr or the collection."""
    try:
        importlib.import_module("netaddr")
        modules = {name: importlib.import_module(PACKAGE + name) for name in NAMES}
    except ImportError:
        return None
    # The collection's entry point checks and converts the arguments; the first one is the environment.
    return {name: functools.partial(getattr(module, "_" + name), None) for name, module in modules.items()}


FUNCTIONS = load()

# Without `v4` and `v6`, which the collection lists but fails to call.
QUERIES = ["", "6to4", "address", "address/prefix", "bool", "broadcast", "cidr", "first_usable", "gateway", "gw", "host",
           "host/prefix", "hostmask", "hostnet", "int", "ip", "ip/prefix", "ip_netmask", "ipv4", "ipv6", "last_usable",
           "link-local", "lo", "loopback", "multicast", "net", "next_usable", "netmask", "network", "network_id",
           "network/prefix", "network_netmask", "network_wildcard", "peer", "prefix", "previous_usable", "private", "public",
           "range_usable", "revdns", "router", "size", "size_usable", "subnet", "type", "unicast", "version",
           "wildcard", "wrap", "10.0.0.0/8", "2001:db8::/32", "192.168.0.1", "0", "1", "-1", "5", "300", "-300", "1.5", "nope",
           "cidr_lookup", "2002::/16"]
EDGES_V4 = ["0.0.0.0", "127.0.0.1", "10.0.0.0", "10.0.0.255", "192.168.0.1", "169.254.1.1", "224.0.0.1", "255.255.255.255",
            "100.64.0.1", "192.0.0.9", "198.51.100.7", "8.8.8.8", "172.16.0.1", "172.32.0.1", "0.0.0.255", "255.255.255.0"]
EDGES_V6 = ["2001:db8::1", "fe80::1", "fc00::1", "ff02::1", "2002:c000:204::1", "2001:4860:4860::8888", "2001:db8::",
            "64:ff9b:1::1", "fd00:10:244::"]
NOT_ADDRESSES = ["", "host.example.com", "10.0.0.256", "10.0.0", "010.0.0.1", "10.0.0.1/33", "10.0.0.1/-1", "2001:db8::1/129",
                 "1::2::3", "fe80::1%eth0", "10.0.0.0/255.0.255.0", "/24", "10.0.0.1/", " 10.0.0.1", "10.0.0.1/24/8"]


def v4(r):
    if r.random() < 0.4:
        return r.choice(EDGES_V4)
    return ".".join(str(r.choice([0, 1, 10, 128, 254, 255, r.randrange(256)])) for _ in range(4))


def v6(r):
    if r.random() < 0.4:
        return r.choice(EDGES_V6)
    groups = [r.choice(["0", "0", "1", "ffff", f"{r.randrange(65536):x}"]) for _ in range(7)]
    # The first group keeps the number above 32 bits: netaddr treats smaller IPv6 numbers as IPv4 in some queries.
    return ":".join([r.choice(["2001", "fd00", "2a00"]), *groups])


def network(r):
    if r.random() < 0.65:
        return f"{v4(r)}/{r.choice([8, 16, 20, 22, 24, 24, 26, 28, 29, 30, 31, 32, 0])}"
    return f"{v6(r)}/{r.choice([32, 48, 56, 64, 64, 112, 120, 126, 127, 128])}"


def masked(r):
    mask = r.choice(["255.255.255.0", "255.255.0.0", "0.0.0.255", "255.255.255.252", "255.255.255.255", "0.0.0.0"])
    return f"{v4(r)}/{mask}"


def operand(r):
    kind = r.random()
    if kind < 0.5:
        return network(r)
    if kind < 0.8:
        return v4(r) if r.random() < 0.6 else v6(r)
    if kind < 0.85:
        return masked(r)
    if kind < 0.9:
        return r.choice([0, 3232235777, "3232235777", "3232235776/24", 2**32, str(2**100), "42540766411282592856903984951653826561/64"])
    return r.choice(NOT_ADDRESSES)


def several(r):
    return [operand(r) for _ in range(r.randrange(5))]


def valid(r):
    return network(r) if r.random() < 0.6 else v4(r)


def same_family(r):
    """A network and another one, often inside it; netaddr's numbers don't distinguish families."""
    outer = f"10.{r.randrange(3)}.0.0/{r.choice([8, 16, 24, 30, 32])}"
    inner = f"10.{r.randrange(3)}.{r.randrange(2)}.{r.randrange(4)}"
    return outer, inner + r.choice(["", "/24", "/30", "/31", "/32"])


def ipsubnet(r, name, call):
    query = r.choice([[], ["24"], [26], ["20", 0], [24, -1], [28, 1], [26, 3], [64, 1], [16], ["18", "-2"], [22, 9], ["33"], [8, 0],
                      [20, -40], ["129"], [32], [32, 0], ["nope"], [128, -5]])
    if r.random() < 0.2:
        # Of one family: the collection computes with the numbers of both without checking their families.
        return call(name, f"10.{r.randrange(4)}.{r.randrange(4)}.0/{r.choice([20, 24, 32])}", [f"10.{r.randrange(2)}.0.0/{r.choice([8, 14, 16, 22])}"])
    return call(name, operand(r), query)


def random_call(name, call, r):
    if name in ("ipaddr", "ipv4", "ipv6"):
        keywords = {"version": r.choice([4, 6])} if name == "ipaddr" and r.random() < 0.1 else {}
        return call(name, operand(r) if r.random() < 0.85 else several(r), [r.choice(QUERIES)] if r.random() < 0.95 else [], keywords)
    if name == "ipwrap":
        return call(name, r.choice([operand, several])(r))
    if name == "ipmath":
        return call(name, operand(r), [r.choice([0, 1, -1, 5, 256, -10**6, 10**12])])
    if name == "ipsubnet":
        return ipsubnet(r, name, call)
    if name == "cidr_merge":
        networks = [valid(r) if r.random() < 0.3 else f"10.0.{r.randrange(4)}.{r.randrange(4) * 64}/{r.choice([24, 25, 26, 32])}"
                    for _ in range(r.randrange(7))]
        return call(name, networks, r.choice([[], ["merge"], ["span"], ["nope"]]))
    if name in ("network_in_network", "network_in_usable"):
        outer, inner = same_family(r)
        return call(name, outer, [inner])
    if name == "reduce_on_network":
        outer, _ = same_family(r)
        return call(name, [same_family(r)[1] for _ in range(r.randrange(5))], [outer])
    if name == "nthhost":
        return call(name, operand(r), [r.choice([0, 1, 5, -1, 250, "3", "x", 300, -300, ""])])
    return call(name, operand(r), [r.choice([0, 1, 2, 5, -3, 100])])
