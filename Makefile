# `make demo` and `make test` need only Python 3.11 or newer; everything else is installed into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# On a Raspberry Pi, picamera2 comes from apt, and a virtual environment finds it only with the system's packages.
ON_PI  := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo --system-site-packages)

# `make install DRY_RUN=1` and `make --dry-run install` print what they would do and change nothing.
DRY    := $(if $(DRY_RUN)$(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),--dry-run)
ROOT   := $(if $(DESTDIR),--root "$(DESTDIR)")
# `make install EXTRAS=oled,voice` also installs what an OLED display and speech need. Other extras: `club` for a broker,
# `heic` for pictures from iPhones, `hall` for the hall of a club. TABLE=no installs no service for a table.
# HOST_NAME=referee sets the name of the machine.
# SIGNERS=FILE: whose updates are taken.
EXTRA  := $(if $(EXTRAS),--extras "$(EXTRAS)") $(if $(SIGNERS),--signers "$(SIGNERS)") $(if $(filter no,$(TABLE)),--no-table) $(if $(HOST_NAME),--hostname "$(HOST_NAME)")

# The sentences in their source form; the program reads the compiled catalogues.
WRITTEN    := $(wildcard referee/i18n/locale/*/LC_MESSAGES/*.po)
UNCOMPILED := $(filter-out $(wildcard referee/i18n/locale/*/LC_MESSAGES/*.mo),$(WRITTEN:.po=.mo))

.PHONY: always demo test test-page test-club test-pi test-card screenshots lint messages man wheel bench soak model fonts hardware lock card-bundle install uninstall clean

$(BIN)/python:
	$(PYTHON) -m venv $(ON_PI) $(VENV)

$(VENV)/.run: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e . polib
	@touch $@

# Compiles the catalogues when a sentence has changed, or when a compiled one is missing, as after changing branches.
$(VENV)/.messages: $(VENV)/.run $(WRITTEN) tools/catalogues.py $(if $(UNCOMPILED),always)
	$(BIN)/python -m tools.catalogues
	@touch $@

# What follows the bar must exist, but a newer one is no reason to install again.
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

# One process more than processors, because many tests wait for a camera or another program. The tests in UNTRACED play
# whole matches or compare with brute force; they run without coverage, which would take three times as long, and the
# other tests reach every line without them.
WORKERS  := $(shell expr $$(nproc) + 1)
# tests/conftest.py runs the slowest files first, so that no process is still busy with one when all others have ended.
PYTEST   := $(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 25 --durations-min 5
UNTRACED := tests/game/judge/test_best_turn_exhaustive.py tests/game/judge/test_judge_agreement.py \
	tests/game/match/gin/test_gin_matches.py tests/game/match/test_transcripts.py \
	tests/game/solver/test_solver_properties.py

test: lint
	$(BIN)/coverage erase
	$(PYTEST) tests/game $(UNTRACED:%=--ignore=%) --cov=referee.game --cov-report=
	$(BIN)/coverage report --include='referee/game/*' --fail-under=100 --show-missing
	$(PYTEST) -m "not page and not club" $(UNTRACED) $(filter-out tests/game/,$(wildcard tests/*/ tests/test_*.py))

# The pages in a real browser, and random requests of every kind that they accept.
test-page: $(VENV)/.dev
	$(PYTEST) -m page tests/page tests/pages tests/club/hall

# A picture of every state of the table's pages: `make screenshots OUT=FOLDER`.
screenshots: $(VENV)/.dev
	PYTHONPATH=.:tests/support:systemd $(BIN)/python tests/support/page_states.py $(if $(OUT),$(OUT),out/screenshots)

# With a real MQTT broker: each test starts a Mosquitto of its own.
test-club: $(VENV)/.dev
	$(PYTEST) -m club tests/club tests/pages/hall tests/benchmarks

# With the real picamera2, libcamera and lgpio, and on an emulated processor of a Pi: see tests/pi/README.md.
test-pi: $(VENV)/.dev
	REFEREE_TEST_PI=1 $(BIN)/pytest tests/pi --numprocesses auto --dist loadfile

# Installer, first start of a new card, updates: power cuts at many points, a machine that starts, an emulated Pi without a network.
test-card: $(VENV)/.dev
	REFEREE_TEST_CARD=1 $(BIN)/pytest --numprocesses auto --dist loadfile tests/test_install.py tests/test_card_first_start.py tests/test_real_dpkg.py \
	  tests/pi/test_card_boot.py tests/pi/test_card_offline.py tests/pi/test_update_boot.py

# Compiles the catalogues, and writes docs/sentences.md, a page with all sentences.
messages: $(VENV)/.run
	$(BIN)/python -m tools.catalogues
	@touch $(VENV)/.messages
	$(BIN)/python -m tools.sentences

# The manual page, made from the help: `man -l out/referee.1` shows it.
man: $(VENV)/.run $(VENV)/.messages
	$(BIN)/python -m tools.manual out/referee.1

# A wheel in out/. The same source gives the same bytes, wherever and whenever it is built.
wheel: $(VENV)/.run
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir out .

# The extra `bench` has libraries to compare the figures with. If it cannot be installed, the figures say so.
bench: $(VENV)/.dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m benchmarks

# Whole matches by every rule book, without pictures and with them; takes about two hours on two cores.
soak: $(VENV)/.dev
	$(BIN)/python -m benchmarks.agree
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.fire
	$(BIN)/python -m benchmarks.evenings
	$(BIN)/python -m benchmarks.asks

model: $(VENV)/.train
	$(BIN)/referee train

# Typefaces from Debian for training; those of the last lines are mostly unusual ones.
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
	sil-nuosusil monoid monofur anonymous-pro agave humor-sans engadget ocr-b compagnon millimetre solide-mirage \
	aenigma alee aoyagi-soseki apropal arkpandora baekmuk beng-extra bpg-georgian breip bwht cherrybomb \
	dancingscript deva-extra dkg-handwriting elstob eurofurence fantasma fantasque-sans farsiweb femkeklaver \
	ferrite-core gamaliel gemunu-libre gfs-artemisia gfs-didot gfs-theokritos gnutypewriter gotico-antiqua \
	gujr-extra havana hermit hosny-amiri hosny-thabit joscelyn kaushanscript kiloji kristi leckerli-one lemonada \
	lexi-gulim lexi-saebom linex lobster migmix mmcedar nanum nanum-extra ocr-a radisnoir rampart reggae rufscript \
	sil-akatab sil-alkalami sil-annapurna sil-dai-banna sil-harmattan sil-lateef sil-mondulkiri sil-padauk \
	sil-scheherazade sil-sophia-nubian smc-chilanka smc-dyuthi smc-gayathri smc-keraleeyam smc-manjari smc-rachana \
	smc-uroob stick summersby taml-tscu teluguvijayam tibetan-machine tlwg-garuda-otf tlwg-kinnari-otf \
	tlwg-laksaman-otf tlwg-loma-otf tlwg-norasi-otf tlwg-purisa-otf tlwg-sawasdee-otf tlwg-umpush-otf train \
	ubuntu-title ukij-uyghur unfonts-core uralic woowa-bm yusei-magic

fonts:
	apt-get install --yes --no-install-recommends $(addprefix fonts-,$(FONTS))

# Redraws the pictures in hardware/; needs OpenSCAD.
hardware: $(VENV)/.run $(VENV)/.messages
	$(BIN)/python hardware/geometry.py
	bash hardware/render.sh

# Updates the list of wheels that the installer may put onto a Pi; needs the internet, and installs nothing.
lock: $(VENV)/.dev
	$(BIN)/python systemd/lock.py

# One signed file from which a Pi installs this version without the internet: `make card-bundle OUT=FILE KEY=PRIVATE_KEY`.
# Beside it, in card/, what is copied to a new card; PACKAGES=FOLDER: with the packages of tools/card_packages.sh.
card-bundle: $(VENV)/.dev
	$(BIN)/python -m tools.card_bundle $(OUT) --key $(KEY) $(if $(PACKAGES),--packages $(PACKAGES)) --wheels out/wheels

# `+` makes `make --dry-run` run these commands, too; the script then gets --dry-run and changes nothing. They are run
# with `bash`, because a copy on a USB stick may have lost its executable bit.
install:
	+@bash systemd/install.sh $(DRY) $(ROOT) $(EXTRA)

uninstall:
	+@bash systemd/install.sh --uninstall $(DRY) $(ROOT)

clean:
	rm -rf $(VENV) build out *.egg-info
