"""Reads Kubernetes objects as YAML and writes them as JSON, with what each version named in the arguments refuses of them."""
import json
import sys

import yaml

objects = [document for document in yaml.load_all(sys.stdin, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if document is not None]
problems, unknown = [], []
if len(sys.argv) > 1:
    import kubernetes_validate
for document in objects:
    name = f"{document['kind']}/{document['metadata']['name']}"
    for version in sys.argv[1:]:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{name} in {version}: {error.message} at {'.'.join(map(str, error.path))}")
        except kubernetes_validate.SchemaNotFoundError:
            unknown.append(f"{document['apiVersion']} {document['kind']}")
json.dump({"objects": objects, "problems": problems, "unknown": sorted(set(unknown))}, sys.stdout)
