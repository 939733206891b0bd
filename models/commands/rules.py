"""`hupai rules`: what each rule set counts."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from models.commands.options import named_rules
from models.commands.output import console, print_json


def rules(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A rule set, or the .toml file of house rules; without it, all by name."
        ),
    ] = None,
    edition: Annotated[str | None, typer.Option(metavar="NAME", help="Edition of the rules.")] = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="both, en or zh.")] = "both",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page of the documentation.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object a fan.")] = False,
) -> None:
    """List the rule sets, or the fans of one.

    Each fan with points, definition, example and what it excludes.
    """
    from scoring.catalogue import LANGUAGES, entries, overview, page
    from scoring.rules.fan_rules import RulesError

    if language not in LANGUAGES:
        raise typer.BadParameter(f"'{language}' is no language here: use {', '.join(LANGUAGES)}.")
    if name is None:
        print(overview(language), end="")
        return
    try:
        chosen = named_rules(name)
        found = entries(chosen, edition)
    except RulesError as error:
        raise typer.BadParameter(str(error)) from error
    if markdown:
        print(page(chosen, language), end="")
    elif json_:
        for entry in found:
            print_json(_object(entry))
    else:
        _print(chosen, found, language)


def _object(entry: Any) -> dict[str, Any]:
    return {
        "name": entry.fan.name,
        "english": entry.fan.english,
        "points": entry.fan.points,
        "definition": {"en": entry.en, "zh": entry.zh},
        "example": str(entry.hand),
        "near_miss": str(entry.near),
        "events": list(entry.events),
        "options": dict(entry.options),
        "excludes": list(entry.excludes),
    }


def _print(chosen: Any, found: Any, language: str) -> None:
    from scoring.catalogue import draw

    out = console(60)
    titles = {"en": chosen.english, "zh": chosen.chinese}
    summaries = {"en": chosen.summary, "zh": chosen.summary_zh}
    out.print(f"{chosen.name}: {titles.get(language, f'{chosen.chinese} {chosen.english}')}", markup=False)
    out.print(summaries.get(language, f"{chosen.summary} {chosen.summary_zh}"), markup=False)
    for option in chosen.options:
        abouts = {"en": option.about, "zh": option.about_zh}
        about = abouts.get(language, f"{option.about} {option.about_zh}")
        default = "" if option.default is None else f" (default {option.default})"
        out.print(f"  --option {option.name}{default}: {about}", markup=False, highlight=False)
    for entry in found:
        names = {"en": entry.fan.english, "zh": entry.fan.name}
        texts = {"en": entry.en, "zh": entry.zh}
        name = names.get(language, f"{entry.fan.name} {entry.fan.english}")
        said = ", ".join([*entry.events, *(f"{option}={value}" for option, value in entry.options.items())])
        out.print()
        out.print(f"{entry.fan.points:>3}  {name}", style="bold", markup=False, highlight=False)
        lines = [
            texts.get(language, f"{entry.en} {entry.zh}"),
            f"{draw(entry.hand)}   {entry.hand}{f'   ({said})' if said else ''}",
        ]
        if entry.excludes:
            lines.append(f"{'不计' if language == 'zh' else 'excludes'}: {' '.join(entry.excludes)}")
        for line in lines:
            out.print(f"     {line}", markup=False, highlight=False)
