DRIFTS: dict[str, tuple[str, str]] = {}
