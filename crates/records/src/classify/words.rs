//! Words that tell kinds of pages: English, French, German, Spanish. They are for
//! labels, titles and names of fields, all in lower case and without signs.

#[rustfmt::skip]
pub(super) const SIGN_IN: &[&str] = &[
    "sign in", "log in", "login", "signin", "welcome back", "log on", "continue with google",
    "continue with email", "continue with apple", "user name", "username", "anmelden",
    "anmeldung", "einloggen", "anmeldename", "benutzername", "connexion", "se connecter",
    "me connecter", "identifiant", "connectez vous", "authentification", "iniciar sesión",
    "inicia sesión", "acceso", "acceder", "usuario", "auth", "sso", "cas",
];
#[rustfmt::skip]
pub(super) const FORGOTTEN: &[&str] = &[
    "forgot password", "forgot your password", "forgot email", "reset password", "remember me",
    "keep me signed in", "passwort vergessen", "pin vergessen", "angemeldet bleiben",
    "mot de passe oublié", "rester connecté", "olvidé mi contraseña",
    "has olvidado tu contraseña", "recordarme", "resend code", "try another way",
    "not your computer", "create account", "new to",
];
#[rustfmt::skip]
pub(super) const REGISTER: &[&str] = &[
    "sign up", "register", "registration", "create account", "create your account",
    "registrieren", "registrierung", "konto erstellen", "s inscrire", "inscription",
    "créer un compte", "registro", "registrarme", "crear una cuenta", "crea tu cuenta",
];
#[rustfmt::skip]
pub(super) const FILL_IN: &[&str] = &[
    "contact us", "get in touch", "contact", "send message", "submit", "apply", "application",
    "feedback", "survey", "questions", "request", "enquiry", "quote", "pflichtfelder", "antrag",
    "formular", "absenden", "anfrage", "bewerbung", "formulaire", "devis", "demande", "envoyer",
    "solicitud", "formulario", "enviar", "next page",
];
#[rustfmt::skip]
pub(super) const CARD: &[&str] = &[
    "card number", "cardnumber", "cvc", "cvv", "name on card", "cardholder", "security code",
    "kartennummer", "prüfziffer", "iban", "numéro de carte", "numero carte", "cryptogramme",
    "número de tarjeta", "tarjeta", "caducidad", "kontoinhaber",
];
#[rustfmt::skip]
pub(super) const CHECKOUT: &[&str] = &[
    "checkout", "checkouts", "basket", "your cart", "shopping cart", "your bag", "payment",
    "order summary", "place your order", "place order", "review your order",
    "proceed to checkout", "continue to shipping", "discount code", "billing", "warenkorb",
    "kasse", "zur kasse", "zahlung", "zahlungsart", "zahlungspflichtig bestellen",
    "gutscheincode", "bestellung", "panier", "paiement", "commande", "livraison",
    "mode de livraison", "passer au paiement", "récapitulatif", "cesta", "carrito", "pago",
    "finalizar pedido", "confirmar pedido", "finalizar compra",
];
#[rustfmt::skip]
pub(super) const TOTALS: &[&str] = &[
    "total", "subtotal", "order total", "grand total", "estimated tax", "gesamtsumme",
    "zwischensumme", "summe", "versand", "sous total", "montant", "gastos de envío",
    "precio total", "shipping", "delivery",
];
#[rustfmt::skip]
pub(super) const SEARCH: &[&str] = &[
    "search", "suche", "suchen", "recherche", "rechercher", "buscar", "búsqueda", "results",
];
#[rustfmt::skip]
pub(super) const RESULTS: &[&str] = &[
    "results", "result", "search results", "results for", "found", "did not match", "treffer",
    "ergebnisse", "suchergebnisse", "suchergebnisse für", "gefunden", "résultats", "résultat",
    "résultats pour", "résultats de recherche", "resultados", "resultado",
    "resultados de búsqueda", "encontrado", "encontrados",
];
#[rustfmt::skip]
pub(super) const SORT: &[&str] = &[
    "sort by", "sort", "filter", "filters", "refine", "relevance", "featured", "all filters",
    "sortieren", "filtern", "relevanz", "trier", "affiner", "filtrer", "ordenar", "filtrar",
];
#[rustfmt::skip]
pub(super) const MORE: &[&str] = &[
    "next", "next page", "load more", "show more", "older", "older posts", "see more",
    "nächste seite", "mehr anzeigen", "mehr laden", "suivant", "page suivante", "voir plus",
    "siguiente", "ver más", "cargar más", "new topic", "more posts",
];
#[rustfmt::skip]
pub(super) const OWN_AREA: &[&str] = &[
    "settings", "log out", "logout", "sign out", "billing", "reports", "analytics", "customers",
    "orders", "iam", "admin", "einstellungen", "abmelden", "umsätze", "überweisung", "réglages",
    "paramètres", "déconnexion", "ajustes", "cerrar sesión",
];
#[rustfmt::skip]
pub(super) const DASHBOARD: &[&str] = &[
    "dashboard", "overview", "console", "statistics", "analytics", "usage", "instances", "board",
    "boards", "sprint", "admin", "panel", "übersicht", "finanzübersicht", "kontoübersicht",
    "tableau de bord", "panel de control", "status",
];
#[rustfmt::skip]
pub(super) const PERIOD: &[&str] = &[
    "last 30 days", "last 7 days", "last 6 hours", "last 24 hours", "today", "this week",
    "export csv", "refresh", "refresh dashboard", "heute", "diese woche", "woche", "monat",
    "cette semaine", "aujourd hui", "hoy", "semana", "week", "month",
];
#[rustfmt::skip]
pub(super) const PLAYER: &[&str] = &[
    "play", "play video", "pause", "mute", "unmute", "volume", "full screen", "fullscreen",
    "captions", "subtitles", "seek slider", "video progress", "playback speed", "theatre mode",
    "video player", "play k", "mute m", "full screen f", "pause space", "abspielen", "wiedergabe",
    "ton aus", "vollbild", "untertitel", "lecture", "plein écran", "reproducir",
    "pantalla completa", "silenciar",
];
#[rustfmt::skip]
pub(super) const VIDEO: &[&str] = &[
    "watch", "video", "videos", "views", "viewers", "live", "up next", "subscribe", "stream",
    "streaming", "lesson", "mediathek", "folge", "aufrufe", "abonnieren", "regarder", "vidéo",
    "vídeo", "vídeos", "player",
];
#[rustfmt::skip]
pub(super) const MAIL_FOLDERS: &[&str] = &[
    "inbox", "sent", "sent mail", "sent items", "drafts", "spam", "junk", "deleted items",
    "starred", "posteingang", "gesendet", "entwürfe", "papierkorb", "boîte de réception",
    "réception", "messages envoyés", "envoyés", "brouillons", "corbeille", "indésirables",
    "bandeja de entrada", "enviados", "borradores", "papelera",
];
#[rustfmt::skip]
pub(super) const MAIL_ACTIONS: &[&str] = &[
    "compose", "reply", "reply all", "forward", "archive", "report spam", "new mail",
    "search mail", "attach files", "back to inbox", "antworten", "weiterleiten", "neue e mail",
    "verwerfen", "anhang hinzufügen", "répondre", "transférer", "rédiger", "archiver",
    "nouveau message", "redactar", "responder", "reenviar", "buscar correo",
];
#[rustfmt::skip]
pub(super) const MAIL_FIELDS: &[&str] = &[
    "to", "cc", "bcc", "subject", "recipients", "an", "kopie cc", "betreff", "à", "objet",
    "destinataire", "para", "asunto",
];
#[rustfmt::skip]
pub(super) const MAIL: &[&str] = &[
    "mail", "webmail", "email", "e mail", "inbox", "postfach", "messagerie", "correo", "compose",
];
#[rustfmt::skip]
pub(super) const EDITOR: &[&str] = &[
    "undo", "redo", "bold", "italic", "font size", "borders", "insert block", "add sheet",
    "format as currency", "formula bar", "name box", "version history", "ordered list", "comment",
    "rückgängig", "fett", "kursiv", "annuler", "gras", "nouvelle diapositive", "zone de texte",
    "deshacer", "negrita", "cursiva", "add cover", "title", "body",
];
#[rustfmt::skip]
pub(super) const MENUS: &[&str] = &[
    "file", "edit", "insert", "format", "tools", "datei", "einfügen", "fichier", "édition",
    "insertion", "archivo", "editar", "insertar",
];
#[rustfmt::skip]
pub(super) const VIEWER: &[&str] = &[
    "zoom in", "zoom out", "print", "download", "page", "open with", "vergrößern", "verkleinern",
    "drucken", "herunterladen", "seite", "imprimer", "télécharger", "imprimir", "descargar",
];
#[rustfmt::skip]
pub(super) const SAVED: &[&str] = &[
    "saved", "all changes saved", "last edit was", "share", "gespeichert", "teilen", "enregistré",
    "partager", "guardado", "compartir",
];
#[rustfmt::skip]
pub(super) const DOCUMENT_ADDRESS: &[&str] = &[
    "docs", "document", "documents", "spreadsheets", "sheet", "slides", "presentation", "pad",
    "notes", "documentos", "edit", "editar", "drive",
];
#[rustfmt::skip]
pub(super) const DOCUMENT_EXTENSIONS: &[&str] = &[
    "pdf", "docx", "doc", "xlsx", "xls", "pptx", "ppt", "odt", "ods", "odp", "csv", "txt",
];
#[rustfmt::skip]
pub(super) const FAILURE: &[&str] = &[
    "page not found", "not found", "doesn t exist", "does not exist", "bad gateway",
    "service unavailable", "internal server error", "access denied", "forbidden",
    "something went wrong", "went wrong", "can t be reached", "took too long to respond",
    "too many requests", "temporarily unavailable", "try again", "no longer available",
    "err connection timed out", "zugriff verweigert", "nicht gefunden", "nicht verfügbar",
    "fehler", "fehlercode", "keine berechtigung", "wartungsarbeiten", "introuvable",
    "page introuvable", "erreur", "n existe pas", "n existe plus", "indisponible", "maintenance",
    "accès refusé", "nous revenons bientôt", "no encontramos", "no encontrada", "no existe",
    "ya no exista", "error", "acceso denegado", "no disponible", "mantenimiento", "ups", "oops",
];
#[rustfmt::skip]
pub(super) const FAILURE_NUMBERS: &[&str] = &[
    "400", "401", "403", "404", "410", "429", "500", "502", "503", "504",
];
#[rustfmt::skip]
pub(super) const ADD_ONE: &[&str] = &[
    "add to bag", "add to cart", "add to basket", "buy now", "in den warenkorb",
    "ajouter au panier", "añadir al carrito", "añadir a la cesta",
];
/// Keys of a query in an address.
#[rustfmt::skip]
pub(super) const QUERY_KEYS: &[&str] = &[
    "q", "s", "query", "search", "keyword", "keywords", "text", "suchbegriff", "suche",
    "recherche", "buscar", "search_query", "term",
];
