#compdef confab
# Completion of confab for zsh 5.0 and later. It evaluates nothing that is typed.

_confab() {
    local -a args lines values shown insert
    local line value description program typed directive=0 width=0 i

    # (Q) takes quotes and backslashes away and expands nothing. zsh keeps the quote that is still open apart.
    args=("${(@Q)words[1,CURRENT-1]}")
    typed=$IPREFIX$PREFIX
    [[ -z $compstate[quote] ]] && typed=${(Q)typed} || typed=${(Q)${:-$compstate[quote]$typed$compstate[quote]}}
    program=${args[1]/#\~\//$HOME/}
    lines=("${(@f)$("$program" __complete "${(@)args[2,-1]}" "$typed" 2>/dev/null)}")
    [[ $lines[-1] == :<-> ]] || return 1
    directive=${lines[-1]#:}
    [[ $PREFIX == -*=* ]] && { compset -P 1 '-*='; typed=${typed#*=} }

    for line in "${(@)lines[1,-2]}"; do
        value=${line%%$'\t'*}
        [[ -n $value && $line != _activeHelp_* ]] || continue
        values+=("$value")
        ((${#value} > width)) && width=${#value}
    done
    for line in "${(@)lines[1,-2]}"; do
        value=${line%%$'\t'*}
        [[ -n $value && $line != _activeHelp_* ]] || continue
        [[ $line == *$'\t'* ]] && value="${(r:width:)value}  -- ${line#*$'\t'}"
        shown+=("$value")
    done
    if ((directive & 2)); then insert=(-S ''); fi
    ((${#values})) && compadd -l -d shown "${insert[@]}" -a -- values && return 0
    # _files itself runs substitutions that a path holds.
    ((directive & 4)) || [[ $PREFIX$SUFFIX == *(\`|\$[^[:alpha:]_])* ]] && return 1
    _files
}

# zsh loads this file as the function's body when it is found in fpath; else it was sourced.
if [[ $funcstack[1] == _confab ]]; then
    _confab "$@"
else
    compdef _confab confab
fi
