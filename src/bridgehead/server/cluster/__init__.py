"""Several server processes over one database: each shows the changes of the others."""
