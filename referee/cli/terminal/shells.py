"""Completion for bash, zsh and fish: scripts that have all verbs and options, so that completing starts no program."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

from referee.cli.terminal.command_tree import Option, Verb
from referee.game.rulebooks import RULESETS
from referee.game.tiles import TILE_SETS
from referee.i18n import LANGUAGES

WORDS: Mapping[str, tuple[str, ...]] = {
    "--language": LANGUAGES, "--rules": tuple(RULESETS), "--tileset": tuple(TILE_SETS), "--paper": ("a4", "letter"),
    "--format": ("table", "csv", "json"),
}  # fmt: skip
"""The known values of options."""
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "config": ("check",), "print": ("markers", "calibration"), "rules": tuple(RULESETS),
    "completion": ("bash", "zsh", "fish"),
}  # fmt: skip
"""The known first arguments of verbs; elsewhere files are completed."""
WITH_A_FILE = ("config",)
"""Verbs whose known first argument is followed by a file."""


def bash_script(verbs: Sequence[Verb]) -> str:
    """Return the completion for bash 3.2 or newer."""
    cases = "\n".join(
        f"        {verb.name}) options={shlex.quote(' '.join(_names(verb)))};"
        f" words={shlex.quote(' '.join(ARGUMENTS.get(verb.name, ())))} ;;"
        for verb in verbs
    )
    values = "\n".join(
        f'        {option}) COMPREPLY=($(compgen -W {shlex.quote(" ".join(words))} -- "$current")); return ;;'
        for option, words in WORDS.items()
    )
    everything = shlex.quote(" ".join([*(verb.name for verb in verbs), "--help", "--version"]))
    return f"""# Completion of `referee` for bash. Written by `referee completion bash`.
_referee() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" options words word
    COMPREPLY=()
    # Bash takes `--rules=gin` for three words.
    if [ "$current" = "=" ]; then
        current=
    elif [ "$before" = "=" ]; then
        before="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W {everything} -- "$current"))
        return
    fi
    case "$before" in
{values}
    esac
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
        words=" $words "
        words="${{words/ $word / }}"
    done
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    esac
}}
complete -o default -F _referee referee
"""


def zsh_script(verbs: Sequence[Verb]) -> str:
    """Return the completion for zsh, a file `_referee` in a folder of `fpath`."""
    lines = "\n".join(f"        {_quoted(f'{verb.name}:{verb.text}')}" for verb in verbs)
    cases = "\n".join(_zsh_case(verb) for verb in verbs)
    return f"""#compdef referee
# Completion of `referee` for zsh. Written by `referee completion zsh`.
_referee() {{
    local -a verbs
    verbs=(
{lines}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
        return
    fi
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
{cases}
    esac
}}
_referee "$@"
"""


def _zsh_case(verb: Verb) -> str:
    specs = [_zsh_option(option) for option in verb.options]
    words = ARGUMENTS.get(verb.name)
    if words is not None:
        specs.append(_quoted(f"{'1' if verb.name in WITH_A_FILE else '*'}:word:({' '.join(words)})"))
    if words is None or verb.name in WITH_A_FILE:
        specs.append(_quoted("*:file:_files"))
    return f"        {verb.name}) _arguments {' '.join(specs)} ;;"


def _zsh_option(option: Option) -> str:
    text = option.text.translate({ord(sign): f"\\{sign}" for sign in "[]:\\"})
    name = option.names[0]
    value = ""
    if option.value:
        known = WORDS.get(name)
        value = f":{option.value.replace(':', '')}:{'_files' if known is None else '(' + ' '.join(known) + ')'}"
    return _quoted(f"{'*' if option.several else ''}{name}[{text}]{value}")


def fish_script(verbs: Sequence[Verb]) -> str:
    """Return the completion for fish 3 or newer."""
    return "\n".join(["# Completion of `referee` for fish. Written by `referee completion fish`.", *_fish(verbs), ""])


def _fish(verbs: Sequence[Verb]) -> Iterator[str]:
    for verb in verbs:
        text = _fish_quoted(verb.text)
        yield f"complete -c referee -n __fish_use_subcommand -f -a {verb.name} -d {text}"
    for verb in verbs:
        where = f"complete -c referee -n '__fish_seen_subcommand_from {verb.name}'"
        for option in verb.options:
            known = WORDS.get(option.names[0])
            value = "" if not option.value else " -r" if known is None else f" -x -a {_fish_quoted(' '.join(known))}"
            yield f"{where} -l {option.names[0].removeprefix('--')}{value} -d {_fish_quoted(option.text)}"
        if verb.name in ARGUMENTS:
            words = " ".join(ARGUMENTS[verb.name])
            if verb.name in WITH_A_FILE:
                first = f"__fish_seen_subcommand_from {verb.name}; and not __fish_seen_subcommand_from {words}"
                where = f"complete -c referee -n '{first}'"
            yield f"{where} -f -a {_fish_quoted(words)}"


def _names(verb: Verb) -> list[str]:
    return [*(name for option in verb.options for name in option.names), "--help"]


def _quoted(text: str) -> str:
    """Return a text in single quotes, for zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    """Return a text in single quotes, in which fish takes a backslash as its escape."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Mapping[str, Callable[[Sequence[Verb]], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
"""What writes the completion for each shell."""
