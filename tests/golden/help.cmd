wattune --help
