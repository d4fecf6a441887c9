"""What the doctor finds and advises: the table and the picture, the machine, the panel.

`referee.i18n.notices` gathers these notices; nobody else imports them from here.
"""
