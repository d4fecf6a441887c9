"""What is written into referee-card.txt on the boot partition, for people who put the card into their computer."""

from __future__ import annotations

from collections.abc import Mapping

REPORT = "referee-card.txt"
LANGUAGES = ("en", "de", "fr", "it")

READY: Mapping[str, str] = {
    "en": "The referee is installed. Open this page on a phone in your Wi-Fi: {address}",
    "de": "Der Schiedsrichter ist eingerichtet. Öffne diese Seite auf einem Handy in deinem WLAN: {address}",
    "fr": "L'arbitre est installé. Ouvre cette page sur un téléphone relié à ton Wi-Fi : {address}",
    "it": "L'arbitro è installato. Apri questa pagina su un telefono collegato al tuo Wi-Fi: {address}",
}
PIN: Mapping[str, str] = {
    "en": "PIN of the page: {pin}",
    "de": "PIN der Seite: {pin}",
    "fr": "Code PIN de la page : {pin}",
    "it": "PIN della pagina: {pin}",
}
FAILED: Mapping[str, str] = {
    "en": "The referee is not installed yet.",
    "de": "Der Schiedsrichter ist noch nicht eingerichtet.",
    "fr": "L'arbitre n'est pas encore installé.",
    "it": "L'arbitro non è ancora installato.",
}
AGAIN: Mapping[str, str] = {
    "en": "Then put the card back into the Pi and switch it on: it tries again.",
    "de": "Steck die Karte danach wieder in den Pi und schalte ihn ein: Er versucht es noch einmal.",
    "fr": "Remets ensuite la carte dans le Pi et allume-le : il essaiera de nouveau.",
    "it": "Poi rimetti la scheda nel Pi e accendilo: riprova da solo.",
}
_COPY: Mapping[str, str] = {
    "en": "A file on the card is damaged or missing. Copy the contents of the folder to the card once more.",
    "de": "Eine Datei auf der Karte ist beschädigt oder fehlt. Kopiere den Inhalt des Ordners noch einmal darauf.",
    "fr": "Un fichier de la carte est abîmé ou manquant. Copie encore une fois le contenu du dossier sur la carte.",
    "it": "Un file sulla scheda è danneggiato o manca. Copia di nuovo il contenuto della cartella sulla scheda.",
}
_OTHER: Mapping[str, str] = {
    "en": "Something else went wrong; the last line says what. If it fails again, write the card anew.",
    "de": "Etwas anderes ist schiefgegangen; die letzte Zeile sagt, was. Scheitert es wieder, schreib die Karte neu.",
    "fr": "Un autre problème est survenu ; la dernière ligne dit lequel. Si cela échoue encore, réécris la carte.",
    "it": "Qualcos'altro è andato storto; l'ultima riga dice che cosa. Se fallisce ancora, riscrivi la scheda.",
}
REASONS: Mapping[str, Mapping[str, str]] = {
    "damaged": _COPY,
    "no_key": _COPY,
    "signature": {
        "en": "The file referee.bundle was not made by whoever made this folder. Use the folder as you got it.",
        "de": "Die Datei referee.bundle stammt nicht von dem, der diesen Ordner gemacht hat. Nimm den Ordner, wie du "
        "ihn bekommen hast.",
        "fr": "Le fichier referee.bundle ne vient pas de la personne qui a fait ce dossier. Utilise le dossier tel "
        "que tu l'as reçu.",
        "it": "Il file referee.bundle non viene da chi ha fatto questa cartella. Usa la cartella così come l'hai "
        "ricevuta.",
    },
    "release": {
        "en": "This folder is for another release of Raspberry Pi OS. Write the release that the folder is named "
        "after to the card.",
        "de": "Dieser Ordner ist für eine andere Version von Raspberry Pi OS. Schreib die Version auf die Karte, nach "
        "der der Ordner benannt ist.",
        "fr": "Ce dossier est fait pour une autre version de Raspberry Pi OS. Écris sur la carte la version dont le "
        "dossier porte le nom.",
        "it": "Questa cartella è per un'altra versione di Raspberry Pi OS. Scrivi sulla scheda la versione da cui la "
        "cartella prende il nome.",
    },
    "no_room": {
        "en": "The card is too small. It needs at least 8 GB.",
        "de": "Die Karte ist zu klein. Sie braucht mindestens 8 GB.",
        "fr": "La carte est trop petite. Il lui faut au moins 8 Go.",
        "it": "La scheda è troppo piccola. Servono almeno 8 GB.",
    },
    "packages": {
        "en": "Parts of Raspberry Pi OS are missing, and there is no internet. Write the card anew with your Wi-Fi, "
        "or connect a network cable.",
        "de": "Teile von Raspberry Pi OS fehlen, und es gibt kein Internet. Schreib die Karte neu, mit deinem WLAN, "
        "oder schließ ein Netzwerkkabel an.",
        "fr": "Il manque des parties de Raspberry Pi OS, et il n'y a pas d'accès à Internet. Réécris la carte avec "
        "ton Wi-Fi, ou branche un câble réseau.",
        "it": "Mancano parti di Raspberry Pi OS e non c'è internet. Riscrivi la scheda con il tuo Wi-Fi, oppure "
        "collega un cavo di rete.",
    },
    "service": {
        "en": "It is on the card, but does not start; the last line says why.",
        "de": "Er ist auf der Karte, startet aber nicht; die letzte Zeile sagt, warum.",
        "fr": "Il est sur la carte mais ne démarre pas ; la dernière ligne dit pourquoi.",
        "it": "È sulla scheda ma non parte; l'ultima riga dice perché.",
    },
    "settings": {
        "en": "The file referee.toml on the card has a mistake; the last line says where.",
        "de": "Die Datei referee.toml auf der Karte hat einen Fehler; die letzte Zeile sagt, wo.",
        "fr": "Le fichier referee.toml de la carte contient une erreur ; la dernière ligne dit où.",
        "it": "Il file referee.toml sulla scheda contiene un errore; l'ultima riga dice dove.",
    },
}
"""What people can do about it, by the word for what went wrong; for all other words there is one sentence."""


def ready_text(address: str, pin: str) -> str:
    """Return the report of a card that is ready; without a PIN if the page needs none."""
    parts = [
        READY[one].format(address=address) + (f"\n{PIN[one].format(pin=pin)}" if pin else "") for one in LANGUAGES
    ]
    return _of_parts(parts, "")


def failed_text(reason: str, detail: str) -> str:
    """Return the report of a card on which the referee could not be installed."""
    told = REASONS.get(reason, _OTHER)
    return _of_parts(
        [f"{FAILED[one]} {told[one]}\n{AGAIN[one]}" for one in LANGUAGES], f"{reason}: {detail}".strip(": ")
    )


def _of_parts(parts: list[str], last: str) -> str:
    # With the ends of lines that every editor on Windows understands.
    text = "\n\n".join([*parts, *([last] if last else [])]) + "\n"
    return text.replace("\n", "\r\n")
