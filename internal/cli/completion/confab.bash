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

_confab() {
    local REPLY QUOTE word piece value description line directive=0 common='' i
    local words=() args=() values=() lines=()
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

    while IFS= read -r line; do
        if [[ $line == :* ]]; then
            directive=${line#:}
            continue
        fi
        value=${line%%$'\t'*}
        [[ -n $value && $value == "$typed"* && $line != _activeHelp_* ]] || continue
        value=${value#"$before"}
        description=''
        [[ $line == *$'\t'* ]] && description=${line#*$'\t'}
        [[ -n $open ]] || printf -v value '%q' "$value"
        values+=("$value")
        lines+=("$value${description:+  ($description)}")
    done < <("${args[0]}" __complete "${args[@]:1}" 2>/dev/null)

    if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
    if ((directive & 4)); then compopt +o default 2>/dev/null; fi
    COMPREPLY=("${values[@]}")
    if ((${#values[@]} > 1)) && [[ $COMP_TYPE == 63 ]]; then
        # They are only listed, unless all begin with more than was typed.
        common=${values[0]}
        for value in "${values[@]}"; do
            while [[ $value != "$common"* ]]; do common=${common%?}; done
        done
        [[ -n $open ]] || printf -v typed '%q' "${typed#"$before"}"
        ((${#common} > ${#typed})) || COMPREPLY=("${lines[@]}")
    fi
}

complete -o default -F _confab confab
