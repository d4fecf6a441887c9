#!/bin/sh
# The command `referee`, with the same model and the same pins as the service, and as silent towards the internet.
export REFEREE_MODELS="${REFEREE_MODELS:-/opt/referee/models}"
export GPIOZERO_PIN_FACTORY="${GPIOZERO_PIN_FACTORY:-lgpio}"
export ORT_DISABLE_TELEMETRY="${ORT_DISABLE_TELEMETRY:-1}"
# Its own user works on the service's journal; anybody else's command on one of their own.
[ "$(id -un)" != referee ] || export STATE_DIRECTORY="${STATE_DIRECTORY:-/var/lib/referee}"
exec /opt/referee/venv/bin/referee "$@"
