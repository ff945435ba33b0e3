# Completion of confab for PowerShell 5.1 and later. It evaluates nothing that is typed.

Register-ArgumentCompleter -Native -CommandName confab -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # A quoted or plain word counts as its text, and everything else as it is typed, whatever it would give.
    $words = @()
    $typed = ''
    foreach ($element in $commandAst.CommandElements) {
        $extent = $element.Extent
        if ($extent.StartOffset -ge $cursorPosition) { break }
        $text = $extent.Text
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $text = $element.Value }
        if ($extent.EndOffset -lt $cursorPosition) { $words += $text } else { $typed = $text }
    }
    $program = 'confab'
    if ($words.Count -gt 0) {
        $program = $words[0]
        $words = @($words | Select-Object -Skip 1)
    }
    # Before PowerShell 7.3 an empty argument of a program is written as two quotes.
    $last = $typed
    if ($last -eq '' -and (-not $PSNativeCommandArgumentPassing -or $PSNativeCommandArgumentPassing -eq 'Legacy')) {
        $last = '""'
    }
    $lines = @(& $program __complete @words $last 2>$null)
    if ($lines.Count -eq 0 -or $lines[-1] -notmatch '^:\d+$') { return }

    $flag = ''
    if ($typed -match '^-[^=]*=') { $flag = $Matches[0] }
    # PowerShell replaces what follows the last comma of a list.
    $kept = 0
    if ($wordToComplete -ne '' -and $typed.EndsWith($wordToComplete)) { $kept = $typed.Length - $wordToComplete.Length }
    foreach ($line in @($lines | Select-Object -SkipLast 1)) {
        $value, $description = $line -split "`t", 2
        $value = "$flag$value"
        if (-not $value.StartsWith($typed) -or $line.StartsWith('_activeHelp_')) { continue }
        $shown = $value
        $value = $value.Substring($kept)
        if ($value -match '[^\w\-=./:+]') { $value = "'" + $value.Replace("'", "''") + "'" }
        if (-not $description) { $description = $shown }
        [System.Management.Automation.CompletionResult]::new($value, $shown, 'ParameterValue', $description)
    }
}
