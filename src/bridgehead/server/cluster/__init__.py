"""Several server processes over one database: what each learns of the others."""
