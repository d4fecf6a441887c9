# `make demo` and `make test` need Python 3.11 or newer and nothing else; everything they use lands in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# On a Raspberry Pi, picamera2 comes from apt and only a venv that sees the system's packages finds it.
ON_PI  := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo --system-site-packages)

# `make install DRY_RUN=1` and `make --dry-run install` both only tell what they would do.
DRY    := $(if $(DRY_RUN)$(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),--dry-run)
ROOT   := $(if $(DESTDIR),--root "$(DESTDIR)")
# `make install EXTRAS=oled,voice` also installs what an OLED display and speaking need, `club` a broker, `heic` pictures
# of iPhones, `hall` the hall of a club; TABLE=no installs no table's service; HOST_NAME=referee names the machine.
EXTRA  := $(if $(EXTRAS),--extras "$(EXTRAS)") $(if $(filter no,$(TABLE)),--no-table) $(if $(HOST_NAME),--hostname "$(HOST_NAME)")

# Sentences as they are written; what the program reads is compiled from them.
WRITTEN    := $(wildcard referee/i18n/locale/*/LC_MESSAGES/*.po)
UNCOMPILED := $(filter-out $(wildcard referee/i18n/locale/*/LC_MESSAGES/*.mo),$(WRITTEN:.po=.mo))

.PHONY: always demo test test-page test-club test-pi lint messages bench soak model fonts hardware lock install uninstall clean

$(BIN)/python:
	$(PYTHON) -m venv $(ON_PI) $(VENV)

$(VENV)/.run: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e . polib
	@touch $@

# Compiles the sentences anew once one of them was changed, and where one is missing: after a change of branches, say.
$(VENV)/.messages: $(VENV)/.run $(WRITTEN) tools/catalogues.py $(if $(UNCOMPILED),always)
	$(BIN)/python -m tools.catalogues
	@touch $@

# Behind the bar stands what must be there, but is no reason to install anew.
$(VENV)/.dev: $(VENV)/.run | $(VENV)/.messages
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

$(VENV)/.train: $(VENV)/.run | $(VENV)/.messages
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@touch $@

demo: $(VENV)/.run $(VENV)/.messages
	$(BIN)/referee demo

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# One process more than processors: many tests wait for a camera or for another program. What plays whole matches and
# compares with brute force is not traced, for that takes three times as long; the others reach every line as well.
WORKERS  := $(shell expr $$(nproc) + 1)
# tests/conftest.py puts the slowest files first, so that no process is left alone with one at the end.
PYTEST   := $(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 25 --durations-min 5
UNTRACED := tests/game/judge/test_judge_agreement.py tests/game/match/gin/test_gin_matches.py \
	tests/game/match/test_transcripts.py tests/game/solver/test_solver_properties.py

test: lint
	$(BIN)/coverage erase
	$(PYTEST) tests/game $(UNTRACED:%=--ignore=%) --cov=referee.game --cov-report=
	$(BIN)/coverage report --include='referee/game/*' --fail-under=100 --show-missing
	$(PYTEST) -m "not page and not club" $(UNTRACED) $(filter-out tests/game/,$(wildcard tests/*/ tests/test_*.py))

# The page in a real browser, and everything that it takes tried out at random.
test-page: $(VENV)/.dev
	$(PYTEST) -m page tests/page tests/pages tests/club/hall

# With a real MQTT broker, Mosquitto, which each test starts for itself.
test-club: $(VENV)/.dev
	$(PYTEST) -m club tests/club tests/pages/hall

# On the real picamera2, libcamera and lgpio, and on an emulated processor of a Pi: tests/pi/README.md.
test-pi: $(VENV)/.dev
	REFEREE_TEST_PI=1 $(BIN)/pytest tests/pi --numprocesses auto --dist loadfile

# What the program reads, and a page of all sentences for people.
messages: $(VENV)/.run
	$(BIN)/python -m tools.catalogues
	@touch $(VENV)/.messages
	$(BIN)/python -m tools.sentences

# What is only compared with may be missing: the figures then say so.
bench: $(VENV)/.dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m benchmarks

# Whole matches by every book, without pictures and with them; takes two hours or so on two cores.
soak: $(VENV)/.dev
	$(BIN)/python -m benchmarks.agree
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.fire
	$(BIN)/python -m benchmarks.evenings
	$(BIN)/python -m benchmarks.asks

model: $(VENV)/.train
	$(BIN)/referee train

# Type faces from Debian to train with, some hundred of them.
FONTS  := dejavu liberation liberation2 urw-base35 lato play sil-andika adf-accanthis adf-baskervald adf-berenis \
	adf-gillius adf-ikarius adf-irianis adf-libris adf-mekanus adf-oldania adf-romande adf-solothurn adf-switzera \
	adf-tribun adf-universalis adf-verana allerta arapey averia-sans-gwf averia-serif-gwf b612 bebas-neue beteckna \
	cabin cantarell cardo century-catalogue clear-sans cmu comfortaa comic-neue courier-prime croscore \
	crosextra-caladea crosextra-carlito dosis dustin ebgaramond essays1743 fanwood firacode freefont-ttf \
	georgewilliams gfs-neohellenic go goudybookletter hack inconsolata inter isabella jetbrains-mono junction \
	junicode jura karla karmilla league-mono league-spartan lindenhill linuxlibertine lmodern manrope mononoki \
	mplus national-park oldstandard open-sans opendin opendyslexic osifont oxygen paratype prociono quattrocento \
	quicksand roadgeek roboto-unhinted roboto-slab rocknroll routed-gothic sil-charis sil-doulos sil-gentiumplus \
	sjfonts sora staypuft stix texgyre tiresias tomsontalks tuffy vollkorn yanone-kaffeesatz yrsa-rasa \
	sil-nuosusil monoid monofur anonymous-pro agave humor-sans engadget ocr-b compagnon millimetre solide-mirage

fonts:
	apt-get install --yes --no-install-recommends $(addprefix fonts-,$(FONTS))

# The pictures of hardware/; needs openscad besides.
hardware: $(VENV)/.run $(VENV)/.messages
	$(BIN)/python hardware/geometry.py
	bash hardware/render.sh

# What the installer may put onto a Pi, wheel by wheel; needs the internet, and installs nothing.
lock: $(VENV)/.dev
	$(BIN)/python systemd/lock.py

# `+` runs these with --dry-run, too: the script is told and does nothing then. `bash`, because a copy on a USB stick may
# have lost the right to be run.
install:
	+@bash systemd/install.sh $(DRY) $(ROOT) $(EXTRA)

uninstall:
	+@bash systemd/install.sh --uninstall $(DRY) $(ROOT)

clean:
	rm -rf $(VENV) build out *.egg-info
