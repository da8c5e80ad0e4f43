"""The files for containers are what their tools accept, reachable from this machine only, and hold no secret."""

import re
import subprocess
from pathlib import Path

import compose_spec
import kubernetes_validate
import pytest
import yaml

from tests.deployments.compose import COMPOSE, SECRETS, interpolated, services

DOCKERFILE = Path("deployments/Dockerfile")
MANIFESTS = sorted(Path("deployments/kubernetes").glob("*.yaml"))
SECRET_NAMES = re.compile(r"PASSWORD|SECRET|AUTH|TOKEN|ACCESS_KEY|API_KEY|LOGIN")


def test_the_compose_file_follows_the_specification_and_names_what_it_uses() -> None:
    text = interpolated(COMPOSE.read_text(), **SECRETS)
    options = compose_spec.PyOptions(apply_merge=True)
    options.from_yaml(text).validate()
    with pytest.raises(ValueError, match="restrt"):
        options.from_yaml(text.replace("restart: unless-stopped", "restrt: never", 1))
    named = services()
    volumes = yaml.safe_load(text)["volumes"]
    for service in named.values():
        assert set(service.get("depends_on", {})) <= set(named)
        mounted = [volume.split(":")[0] for volume in service.get("volumes", [])]
        assert {place for place in mounted if not place.startswith((".", "/"))} <= set(volumes)


@pytest.mark.parametrize("missing", sorted(SECRETS))
def test_without_one_of_its_secrets_nothing_starts(missing: str) -> None:
    with pytest.raises(ValueError, match=f"set {missing} to"):
        interpolated(COMPOSE.read_text(), **{**SECRETS, missing: ""})


def test_every_port_is_on_loopback() -> None:
    ports = [port for service in services(PAGEMILL_PORT="4300").values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:4300:4200", "127.0.0.1:8333:8333"]
    assert not any(service.get("network_mode") or service.get("privileged") for service in services().values())


def test_no_file_holds_a_secret() -> None:
    for service in yaml.safe_load(COMPOSE.read_text())["services"].values():
        for name, value in service.get("environment", {}).items():
            assert not SECRET_NAMES.search(name) or value is None or re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), name
    for manifest in MANIFESTS:
        assert [part["kind"] for part in yaml.safe_load_all(manifest.read_text()) if part["kind"] == "Secret"] == []
        settings = [part.get("data", {}) for part in yaml.safe_load_all(manifest.read_text()) if part["kind"] == "ConfigMap"]
        assert not any(SECRET_NAMES.search(name) for data in settings for name in data)
    assert "ENV" in DOCKERFILE.read_text() and not SECRET_NAMES.search(DOCKERFILE.read_text())


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.name)
def test_manifests_follow_the_schemas_of_kubernetes(manifest: Path) -> None:
    parts = list(yaml.safe_load_all(manifest.read_text()))
    for part in parts:
        kubernetes_validate.validate(part, kubernetes_validate.latest_version(), strict=True)
    (pod,) = [part["spec"]["template"] for part in parts if part["kind"] == "Deployment"]
    (selector,) = [part["spec"]["selector"]["matchLabels"] for part in parts if part["kind"] == "Deployment"]
    assert selector.items() <= pod["metadata"]["labels"].items()
    (container,) = pod["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["spec"]["volumes"]}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(
            {**parts[-1], "spec": {"replicas": "many"}}, kubernetes_validate.latest_version(), strict=True
        )


def test_the_dockerfile_has_no_complaint_and_ends_as_a_user_without_rights() -> None:
    done = subprocess.run([".venv/bin/hadolint", DOCKERFILE], text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    lines = DOCKERFILE.read_text().splitlines()
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001"]
    assert sum(line.startswith("RUN deployments/setup.sh") for line in lines) == 2, "the same script as make setup"
    worker = next(part for part in yaml.safe_load_all(MANIFESTS[0].read_text()) if part["kind"] == "Deployment")
    assert worker["spec"]["template"]["spec"]["securityContext"]["runAsUser"] == 10001
