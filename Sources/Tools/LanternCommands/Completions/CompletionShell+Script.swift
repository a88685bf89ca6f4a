// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CompletionShell {
    /// What a person's shell needs to complete the words of `lantern`.
    ///
    /// The shell asks the program itself, each time: it sends the words, and gets a line for each one that fits, with a tab
    /// and a note behind it. A line that begins with a tab says that files or folders fit.
    var script: String? {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        default: nil
        }
    }

    private static let bashScript = #"""
        # Completes the words of lantern in bash; made by `lantern completions bash`.
        _lantern() {
            local line
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                $'\tfiles') compopt -o default ;;
                $'\tfolders') compopt -o dirnames ;;
                *)
                    line=${line%%$'\t'*}
                    COMPREPLY+=("$line")
                    case $line in *[:=,/]) compopt -o nospace ;; esac
                    ;;
                esac
            done < <("${COMP_WORDS[0]/#\~/$HOME}" ---complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
        }
        complete -F _lantern lantern
        """#

    private static let zshScript = #"""
        #compdef lantern
        # Completes the words of lantern in zsh; made by `lantern completions zsh`.
        # The options are those of the completion system, which _files needs.
        _lantern() {
            local line value note
            local -i width=0 i ret=1
            # Words that are whole, and those behind which more has to be typed.
            local -a whole whole_notes open open_notes form
            local -a typed=("${(@Q)words[2,CURRENT-1]}")
            for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" ---complete zsh "${typed[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                [[ -n $line ]] || continue
                value=${line%%$'\t'*} note=
                [[ $line == *$'\t'* ]] && note="  -- ${line#*$'\t'}" form=(-l)
                if [[ -z $value ]]; then
                    [[ $PREFIX == --*=* ]] && compset -P '*='
                    if [[ $line == *folders ]]; then _files -/; else _files; fi
                    return
                fi
                (( ${#value} > width )) && width=${#value}
                if [[ $value == *[:=,/] ]]; then
                    open+=("$value") open_notes+=("$note")
                else
                    whole+=("$value") whole_notes+=("$note")
                fi
            done
            for (( i = 1; i <= ${#whole}; i++ )); do
                whole_notes[i]="${(r:width:)whole[i]}$whole_notes[i]"
            done
            for (( i = 1; i <= ${#open}; i++ )); do
                open_notes[i]="${(r:width:)open[i]}$open_notes[i]"
            done
            (( ${#whole} )) && compadd -U "${form[@]}" -V lantern -d whole_notes -a whole && ret=0
            (( ${#open} )) && compadd -U "${form[@]}" -V lantern -S '' -d open_notes -a open && ret=0
            return ret
        }
        if [[ ${funcstack[1]} == _lantern ]]; then _lantern "$@"; else compdef _lantern lantern; fi
        """#

    private static let fishScript = #"""
        # Completes the words of lantern in fish; made by `lantern completions fish`.
        function __lantern_complete
            set -l typed (commandline -opc)
            set -l last (commandline -ct | string unescape)
            set -l found ($typed[1] ---complete fish $typed[2..] "$last" 2>/dev/null)
            switch "$found[1]"
                case \tfiles \tfolders
                    set -l option (string match -r -- '^--[^=]*=' "$last")
                    set -l start (string replace -r -- '^--[^=]*=' '' "$last")
                    for path in (__fish_complete_path "$start")
                        echo "$option$path"
                    end
                case '*'
                    test -n "$found[1]"; and printf '%s\n' $found
            end
        end
        complete -c lantern -f -k -a '(__lantern_complete)'
        """#
}
