"""What the doctor finds and advises: the table and the picture, the machine, the panel."""
