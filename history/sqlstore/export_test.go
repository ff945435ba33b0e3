package sqlstore

// CopiedColumns returns the copied columns as "table.column".
func CopiedColumns() (all []string) {
	for _, t := range tables() {
		for _, c := range t.newRow().columns {
			all = append(all, t.name+"."+c.name)
		}
	}
	return all
}
