"""The receivers of the README, with deliveries of the running service."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from conftest import block, required

from institution import Institution


def wait_until_listening(url: str, receiver: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while receiver.poll() is None and time.monotonic() < until:
        try:
            httpx.get(url)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("The receiver does not listen")


@pytest.mark.parametrize(("name", "nth"), [("flask_receiver.py", 0), ("fastapi_receiver.py", 1)])
def test_a_receiver_of_the_readme_processes_what_the_service_delivers(
    client: Institution, tmp_path: Path, name: str, nth: int
) -> None:
    port = required("RECEIVER_PORTS").split(",")[nth]
    url = f"http://127.0.0.1:{port}/hooks"
    endpoint = client.webhooks.create_endpoint(url=url, events=["student.created"])
    (tmp_path / name).write_text(block("python", name))
    environment = {**os.environ, "WEBHOOK_SECRETS": endpoint.secret, "PORT": port}
    receiver = subprocess.Popen([sys.executable, name], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        wait_until_listening(url, receiver)
        assert client.webhooks.test_endpoint(endpoint.id).response_code == 204
        student = client.students.create(full_name="Ada")
        assert receiver.stdout is not None
        # Flask says first that it serves.
        assert f"welcome {student.login_email}\n" in iter(receiver.stdout.readline, "")
        until = time.monotonic() + 60
        while (delivery := client.webhooks.list_deliveries(endpoint_id=endpoint.id).items[0]).status != "delivered":
            assert time.monotonic() < until
            time.sleep(0.1)
        assert delivery.response_code == 204
        client.webhooks.replay_delivery(delivery.id, ref="again")
        assert httpx.post(url, content=b"{}").status_code == 401
    finally:
        client.webhooks.delete_endpoint(endpoint.id)
        receiver.terminate()
        receiver.wait(30)
        if receiver.stdout is not None:
            receiver.stdout.close()
