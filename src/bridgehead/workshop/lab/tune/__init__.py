"""The rule doctor: searches house rules and boards for settings that meet a designer's wishes."""
