"""Setting the table up in a browser: steps, each a plain page, from the language to the start."""
