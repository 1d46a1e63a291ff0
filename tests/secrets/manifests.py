"""Manifests with secrets, valid and invalid, and reports of other tools about them."""

import base64
import json

FORMS = ("text", "concise", "checkstyle", "github", "gitlab", "json", "junit", "markdown", "rdjson", "sarif")

# An own rule that quotes whatever it sees.
OWN_RULE = """code: ORG001
name: quoting
docs: Quotes an object.
match: {kinds: ["*"]}
validations:
  - expression: "!has(object.stringData)"
    messageExpression: "'it has ' + string(object.stringData.password)"
  - expression: "!has(object.data)"
    messageExpression: "'it has ' + object.data.map(k, string(object.data[k])).join(', ')"
  - expression: object.kind == 'None' || string(object.metadata) == ''
"""


def in_base64(text):
    return base64.b64encode(text.encode()).decode()


def head(name, kind="Secret", version="v1"):
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}, namespace: n}}\n"


def clouds(canary):
    return f"""clouds:
      openstack:
        auth: {{auth_url: "https://a.example.com", username: u, password: "{canary}"}}
        region_name: r
"""


def valid(plant):
    """(name, text): what the API server accepts."""
    yield "texts", head("a") + f"stringData:\n  password: {json.dumps(plant('password'))}\n  n.token: {plant('number', True)!r}\n"
    yield "data", head("a") + f"type: Opaque\ndata: {{password: {in_base64(plant('data'))}}}\n"
    yield "file", head("a") + f"stringData:\n  clouds.yaml: |\n    {clouds(plant('file'))}"
    yield "file in Base64", head("a") + f"data: {{clouds.yaml: {in_base64(clouds(plant('file in Base64')))}}}\n"
    yield "registry", head("a") + "type: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: " + json.dumps(
        json.dumps({"auths": {"r.example.com": {"username": "u", "password": plant("registry")}}})) + "}\n"
    yield "applied", head("a").replace("namespace: n", "namespace: n, annotations: {kubectl.kubernetes.io/last-applied-configuration: " +
                                       json.dumps(json.dumps({"stringData": {"password": plant("applied")}})) + "}")
    yield "carried", head("a", "ConfigMap") + f"data:\n  s.yaml: |\n    apiVersion: v1\n    kind: Secret\n    stringData: " \
                                              f"{{password: {json.dumps(plant('carried'))}}}\n"
    yield "list", "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Secret\n    metadata: {name: a, namespace: n}\n" \
                  f"    stringData: {{password: {json.dumps(plant('list'))}}}\n"
    yield "JSON", json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "n"},
                              "stringData": {"password": plant("JSON"), "clouds.yaml": clouds(plant("file in JSON"))}})
    yield "alias", head("a") + f"stringData: {{password: &a {json.dumps(plant('alias'))}, again: *a}}\n"
    yield "folded", head("a") + f"stringData:\n  password: >-\n    {plant('folded')}\n    {plant('second line')}\n"
    yield "URL", head("a", "ConfigMap") + f"data: {{proxy: 'http://p.example.com/?access_token={plant('token in a URL').split('/')[0]}'}}\n"
    yield "external", head("a", "ExternalSecret", "external-secrets.io/v1") + "spec:\n  target:\n    template:\n      data:\n        password: " + \
        json.dumps(plant("external")) + "\n"


def faulty(plant):
    """(name, text): what the API server or a parser rejects."""
    c = json.dumps
    yield "number", head("a") + f"stringData: {{password: {plant('as a number', True)}}}\n"
    yield "map", head("a") + f"stringData: {{password: {{a: {c(plant('in a map'))}}}}}\n"
    yield "list of texts", head("a") + f"stringData: [{c(plant('in a list'))}]\n"
    yield "text as data", head("a") + f"data: {c(plant('as data'))}\n"
    yield "no Base64", head("a") + f"data: {{password: {c(plant('no Base64'))}}}\n"
    yield "kind", head("a", "Secrt") + f"stringData: {{password: {c(plant('another kind'))}}}\n"
    yield "version", head("a", version="core/v1") + f"stringData: {{password: {c(plant('another version'))}}}\n"
    yield "no kind", f"apiVersion: v1\nmetadata: {{name: a, namespace: n}}\nstringData: {{password: {c(plant('no kind'))}}}\n"
    yield "field", head("a") + f"stringdata: {{password: {c(plant('another field'))}}}\n"
    yield "field at the top", head("a") + f"password: {c(plant('at the top'))}\n"
    yield "type", head("a") + f"type: {{a: {c(plant('as type'))}}}\nimmutable: {c(plant('as immutable'))}\n"
    yield "in metadata", f"apiVersion: v1\nkind: Secret\nmetadata: {{name: a, namespace: n, data: {{password: {c(plant('in metadata'))}}}}}\n"
    yield "twice", head("a") + f"stringData: {{password: {c(plant('twice'))}, password: {c(plant('twice, again'))}}}\n"
    yield "open quote", head("a") + f'stringData:\n  password: "{plant("open quote")}\n'
    yield "open bracket", head("a") + f"stringData: {{password: [{plant('open bracket')}\n"
    yield "tab", head("a") + f"stringData:\n\tpassword: {plant('tab')}\n"
    yield "indicator", head("a") + f"stringData:\n  password: @{plant('indicator')}\n"
    yield "alias of nothing", head("a") + f"stringData:\n  password: *{plant('no anchor').split('/')[0]}\n"
    yield "tag", head("a") + f"stringData:\n  password: !{plant('tag').split('/')[0]} x\n"
    yield "indent", head("a") + f"stringData:\n    password: {c(plant('indent'))}\n  token: {c(plant('indent, token'))}\n"
    yield "colon", head("a") + f"stringData:\n  password: a: {plant('colon')}\n"
    yield "escape", head("a") + f'stringData:\n  password: "\\q{plant("escape")}"\n'
    yield "control", head("a") + f"stringData:\n  password: {plant('control')}\x01\n"
    yield "separator", head("a") + f"stringData:\n  clouds.yaml: |\n    a: b\n---\n    password: {c(plant('separator'))}\n"
    yield "key without a value", head("a") + f"stringData:\n  password:\n  {plant('no value')}\n"
    yield "JSON", '{"apiVersion": "v1", "kind": "Secret", "stringData": {"password": ' + c(plant("broken JSON")) + "]}"
    yield "braces", head("a") + f"stringData:\n  password: {{{{ {plant('braces')} }}}}\n"
    yield "form", head("a", "SealedSecret", "bitnami.com/v1alpha1") + f"spec:\n  encryptedData: {{password: {c(plant('not sealed'))}}}\n"
    yield "sops", head("a") + f"stringData: {{password: {c(plant('not encrypted'))}}}\nsops: {{mac: none, version: 3.9.0}}\n"
    yield "machine", head("a", "KubeadmConfigTemplate", "bootstrap.cluster.x-k8s.io/v1beta2") + \
        "spec:\n  template:\n    spec:\n      files:\n        - path: /etc/a.conf\n          content: |\n            password = " + \
        plant("machine").split("/")[0] + "Aa1\n"


def reports(path, lines):
    """(form, text): findings of other tools at each line of a file."""
    results = [{"ruleId": "R1", "message": {"text": "here"}, "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": path}, "region": {"startLine": line}}}]} for line in range(1, lines + 1)]
    yield "sarif", json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t", "rules": [{"id": "R1"}]}}, "results": results}]})
    places = ("/stringData/password", "/stringData", "/data/password", "/data", "/type", "")
    yield "kubeconform-json", json.dumps({"resources": [{
        "filename": path, "kind": "Secret", "name": "a", "version": "v1", "status": "statusInvalid", "msg": "invalid",
        "validationErrors": [{"path": place, "msg": "got string, want integer"} for place in places]}]})
