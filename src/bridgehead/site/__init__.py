"""A static site: the tables of one browser, without a server. `build` writes its files, `host` answers its pages."""
