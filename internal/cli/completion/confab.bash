# Completion of confab for bash 3.2 and later. It needs no other package and evaluates nothing that is typed.

# __confab_unquote takes the quotes and backslashes of a typed word away: the text goes to REPLY, the quote that is
# still open to QUOTE.
__confab_unquote() {
    local s=$1 c i
    REPLY='' QUOTE=''
    for ((i = 0; i < ${#s}; i++)); do
        c=${s:i:1}
        if [[ $c == "\\" && $QUOTE != "'" ]]; then
            i=$((i + 1))
            [[ $QUOTE == '"' && ${s:i:1} != ['"$`\'] ]] && REPLY+=$c
            REPLY+=${s:i:1}
        elif [[ -z $QUOTE && ( $c == "'" || $c == '"' ) ]]; then
            QUOTE=$c
        elif [[ -n $QUOTE && $c == "$QUOTE" ]]; then
            QUOTE=''
        else
            REPLY+=$c
        fi
    done
}

# __confab_quote writes the text $1 so that bash reads it as that text behind the open quote $2. It fails where bash
# has no way to write it.
__confab_quote() {
    REPLY=$1
    case $2 in
        '')
            printf -v REPLY '%q' "$REPLY"
            REPLY=${REPLY//\\,/,}
            ;;
        "'") REPLY=${REPLY//\'/\'\\\'\'} ;;
        *)
            [[ $REPLY != *'!'* ]] || return 1
            REPLY=${REPLY//\\/\\\\} REPLY=${REPLY//\"/\\\"} REPLY=${REPLY//\$/\\\$} REPLY=${REPLY//\`/\\\`}
            ;;
    esac
}

_confab() {
    local REPLY QUOTE word piece value description line directive=0 common='' i
    local words=() args=() found=() values=() lines=()
    # bash splits words at = and :, which belong to the word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        ((i == 0)) || word=${words[${#words[@]} - 1]}
        if ((i > 1)) && [[ ($piece == [=:]* || $word == *[=:]) && $COMP_LINE == *"$word$piece"* ]]; then
            words[${#words[@]} - 1]=$word$piece
        else
            words+=("$piece")
        fi
    done
    for word in "${words[@]}"; do
        __confab_unquote "$word"
        args+=("$REPLY")
    done
    # What is before the part that bash replaces.
    [[ $piece == [=:] ]] && piece=''
    __confab_unquote "${word%"$piece"}"
    local before=${REPLY} typed=${args[${#args[@]} - 1]}
    __confab_unquote "$word"
    local open=$QUOTE
    [[ $typed == -*=* ]] && { typed=${typed#*=} before=${before#*=}; }

    args[0]=${args[0]/#\~\//$HOME/}
    while IFS= read -r line; do
        found+=("$line")
    done < <("${args[0]}" __complete "${args[@]:1}" 2>/dev/null)
    ((${#found[@]})) || return
    i=$((${#found[@]} - 1))
    directive=${found[i]#:}
    unset "found[i]"
    [[ $directive == [0-9]* ]] || return
    for line in "${found[@]}"; do
        value=${line%%$'\t'*}
        [[ -n $value && $value == "$typed"* && $line != _activeHelp_* ]] || continue
        value=${value#"$before"}
        description=''
        [[ $line == *$'\t'* ]] && description=${line#*$'\t'}
        __confab_quote "$value" "$open" || continue
        values+=("$REPLY")
        lines+=("$REPLY${description:+  ($description)}")
    done

    if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
    # bash itself runs substitutions that a path holds.
    if ((directive & 4)) || [[ $typed == *\`* || $typed == *\$[!a-zA-Z_]* ]]; then compopt +o default 2>/dev/null; fi
    COMPREPLY=("${values[@]}")
    if ((${#values[@]} > 1)) && [[ $COMP_TYPE == 63 ]]; then
        # They are only listed, unless all begin with more than was typed.
        common=${values[0]}
        for value in "${values[@]}"; do
            while [[ $value != "$common"* ]]; do common=${common%?}; done
        done
        __confab_quote "${typed#"$before"}" "$open"
        ((${#common} > ${#REPLY})) || COMPREPLY=("${lines[@]}")
    fi
}

complete -o default -F _confab confab
