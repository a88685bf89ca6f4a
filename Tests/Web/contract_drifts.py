DRIFTS: dict[str, dict[str, tuple[str, str]]] = {}
