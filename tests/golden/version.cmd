wattune --version
