#!/bin/sh
# The command `referee`, with the same model, pin library and telemetry setting as the service.
export REFEREE_MODELS="${REFEREE_MODELS:-/opt/referee/current/models}"
export GPIOZERO_PIN_FACTORY="${GPIOZERO_PIN_FACTORY:-lgpio}"
export ORT_DISABLE_TELEMETRY="${ORT_DISABLE_TELEMETRY:-1}"
# The user `referee` works on the journal of the service; anybody else on a journal of their own.
[ "$(id -un)" != referee ] || export STATE_DIRECTORY="${STATE_DIRECTORY:-/var/lib/referee}"
exec /opt/referee/current/venv/bin/referee "$@"
