# Completion of confab for fish 3.2 and later. It evaluates nothing that is typed.

# __confab_prepare asks confab for what can follow the text before the cursor and keeps it in __confab_found. It
# succeeds unless fish is to offer files.
function __confab_prepare
    set -g __confab_found
    # The words before the last one come without quotes and backslashes, and nothing in them is expanded.
    set -l token (commandline -ct | string collect)
    set -l before (commandline -cp | string collect)
    set -l size (math (string length -- "$before") - (string length -- "$token"))
    set before (string sub -l $size -- "$before" | string collect)
    set -l words
    echo -n "$before" | read -zat words
    set -l typed $token
    for quote in '' "'" '"'
        if set -l plain (string unescape -- "$token$quote" | string collect)
            set typed $plain
            break
        end
    end

    # What stands before confab, such as sudo, is not run. A function that wraps confab is not run either.
    set -l program confab
    for i in (seq (count $words))
        if string match -qr '^(.*/)?confab$' -- "$words[$i]"
            set program (string replace -r '^~/' "$HOME/" -- "$words[$i]")
            set words $words[$i..-1]
            break
        end
    end
    set -l lines ($program __complete $words[2..-1] "$typed" 2>/dev/null)
    string match -qr '^:[0-9]+$' -- "$lines[-1]"
    or return 0
    set -l flag (string match -r -- '^-[^=]*=' "$typed")
    for line in $lines[1..-2]
        string match -q -- '_activeHelp_*' "$line"
        or set -a __confab_found "$flag$line"
    end
    test (count $__confab_found) -gt 0 -o (math (string sub -s 2 -- $lines[-1]) % 8) -ge 4
end

complete -c confab -e
complete -c confab -n __confab_prepare -f -a '$__confab_found'
