"""How the shipped weights were made, for anyone to make them again: `hupai train`. Needs the extra
`train`."""


def main(arguments: list[str]) -> None:
    """Run `hupai train ARGUMENTS...`. Raises ModuleNotFoundError where the extra `train` is not installed."""
    from models.training.commands import app

    app(arguments, prog_name="hupai train")
