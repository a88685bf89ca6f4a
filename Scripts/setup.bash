# SPDX-License-Identifier: Apache-2.0
# What the scripts share: finding Swift, installing Debian packages and Python environments. To be sourced.

say() { printf '%s\n' "$*"; }

stop() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# require_swift: ends with a sentence unless Swift 6.2 or later is on the path.
require_swift() {
    local version
    command -v swift >/dev/null ||
        stop 'no Swift found; install Swift 6.2 or later from https://www.swift.org/install and put it on PATH'
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [[ -n $version ]] || stop "$(command -v swift) does not tell its version; Swift 6.2 or later is needed"
    if ((${version%.*} < 6 || (${version%.*} == 6 && ${version#*.} < 2))); then
        stop "found Swift $version, but Swift 6.2 or later is needed: https://www.swift.org/install"
    fi
    say "Swift $version: $(command -v swift)"
}

# install_packages NAME...: installs the Debian packages that are missing, and says so.
install_packages() {
    local missing=() name as_root=()
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian or Ubuntu; what is needed from the system: $*"
        return
    fi
    for name in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    if ((${#missing[@]} == 0)); then
        say "Debian packages are there: $*"
        return
    fi
    if (($(id -u) != 0)); then
        command -v sudo >/dev/null ||
            stop "please install as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing Debian packages: ${missing[*]}"
    # tshark's package asks who may capture; nobody is there to answer.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
        apt-get update -q && apt-get install -q -y --no-install-recommends "$@"' sh "${missing[@]}" \
        </dev/null >"${TMPDIR:-/tmp}/lantern-apt.log" 2>&1 || {
        tail -n 20 "${TMPDIR:-/tmp}/lantern-apt.log" >&2
        stop "apt-get install ${missing[*]} failed"
    }
}

# make_venv ENVIRONMENT FOLDER: makes the Python environment of the tests in a folder.
make_venv() {
    local environment=$1 wanted=$2/requirements.txt
    local stamp=$environment/installed.txt
    if cmp -s "$wanted" "$stamp"; then
        say "Python packages are there: ${environment##*/}"
        return
    fi
    say "installing Python packages into ${environment##*/}: $(tr '\n' ' ' <"$wanted")"
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install -q --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$stamp"
}
