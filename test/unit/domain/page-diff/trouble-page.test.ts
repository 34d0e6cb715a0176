import { troubleOf } from "../../../../services/domain/page-diff/trouble-page.ts";

const shop = Array.from(
  { length: 20 },
  (_, n) => `Boot ${n}: ${n} EUR, in stock, delivered within three days`,
).join("\n");

const maintenance = "The site shows a maintenance page.";
const refusal = "The site refuses visitors of this region.";
const breakdown = "The site shows an error page.";
const placeholder = "The server shows a page of its own in place of the site's.";

test.each<[reason: string, title: string, text: string]>([
  [maintenance, "Maintenance", "We'll be back soon."],
  [maintenance, "Harbour shop", "# Harbour shop\nThe site is down for maintenance. Please try again later."],
  [maintenance, "Wartungsarbeiten", "# Wartungsarbeiten\nWir sind bald wieder für Sie da."],
  [maintenance, "Boutique", "Site en maintenance. Nous serons de retour bientôt."],
  [maintenance, "Tienda", "Página en mantenimiento. Volvemos pronto."],
  [maintenance, "Магазин", "На сайте ведутся технические работы."],
  [maintenance, "商店", "系统维护中，请稍后再试。"],
  [maintenance, "お知らせ", "ただいまメンテナンス中です。"],
  [maintenance, "متجر", "الموقع تحت الصيانة. سنعود قريبا."],
  [maintenance, "503", "503 Service Unavailable"],
  [refusal, "Boots", "# Boots\nThis content is not available in your region."],
  [refusal, "Boots", "Sorry, this page isn't available in your country."],
  [refusal, "Boots", "Access from your country is blocked."],
  [
    refusal,
    "451: Unavailable due to legal reasons",
    "We recognize you are attempting to access this website from a country of the EEA. Because of the GDPR we cannot grant access.",
  ],
  [
    refusal,
    "Unavailable",
    "Unfortunately, our website is currently unavailable to visitors from the European Union.",
  ],
  [refusal, "Schuhe", "Dieser Inhalt ist in Ihrem Land leider nicht verfügbar."],
  [refusal, "Schuhe", "Dieses Angebot steht in deiner Region nicht zur Verfügung."],
  [refusal, "Vidéo", "Ce contenu n’est pas disponible dans votre pays."],
  [refusal, "Tienda", "Este contenido no está disponible en tu país."],
  [refusal, "Loja", "Este conteúdo não está disponível no seu país."],
  [refusal, "Negozio", "Questo contenuto non è disponibile nel tuo paese."],
  [refusal, "Winkel", "Deze inhoud is niet beschikbaar in uw land."],
  [refusal, "Sklep", "Ta treść jest niedostępna w Twoim kraju."],
  [refusal, "Магазин", "Этот материал недоступен в вашей стране."],
  [refusal, "动画", "抱歉，您所在的地区无法观看此内容。"],
  [refusal, "動画", "このコンテンツはお住まいの地域ではご利用いただけません。"],
  [refusal, "영상", "이 콘텐츠는 해당 국가에서는 이용할 수 없습니다."],
  [refusal, "متجر", "هذا المحتوى غير متاح في بلدك."],
  [breakdown, "Database Error", "# Error establishing a database connection"],
  [breakdown, "Shop", "SQLSTATE[HY000] [2002] Connection refused"],
  [
    breakdown,
    "Shop",
    "Fatal error: Uncaught Error: Call to a member function get() on null in /var/www/shop.php:12",
  ],
  [
    breakdown,
    "Shop",
    "**Fatal error**: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes)",
  ],
  [
    breakdown,
    "Shop",
    "Warning: mysqli_connect(): (HY000/1040): Too many connections in /srv/db.php on line 3",
  ],
  [breakdown, "Traceback", "Traceback (most recent call last):\nFile app.py, line 3"],
  [breakdown, "Site", "There has been a critical error on this website."],
  [breakdown, "500 Internal Server Error", "nginx"],
  [
    breakdown,
    "Heron",
    "# We're sorry, but something went wrong.\nIf you are the application owner check the logs.",
  ],
  [breakdown, "502", "HTTP Error 502. The upstream did not answer."],
  [breakdown, "Fehler", "Es ist ein unerwarteter Fehler aufgetreten."],
  [breakdown, "Erreur", "Une erreur est survenue."],
  [breakdown, "Error", "Error al establecer una conexión con la base de datos"],
  [breakdown, "Errore", "Si è verificato un errore."],
  [breakdown, "Ошибка", "Произошла ошибка. Попробуйте позже."],
  [breakdown, "错误", "数据库连接错误"],
  [breakdown, "エラー", "エラーが発生しました。"],
  [
    placeholder,
    "Welcome to nginx!",
    "# Welcome to nginx!\nIf you see this page, the nginx web server is successfully installed and working.",
  ],
  [placeholder, "Apache2 Ubuntu Default Page", "# It works!"],
  [placeholder, "Index of /", "# Index of /\nName\nLast modified"],
  [placeholder, "Account Suspended", "This account has been suspended. Contact your hosting provider."],
  [placeholder, "IIS Windows Server", "IIS Windows Server"],
])("%s %s: %s", (reason, title, text) => expect(troubleOf({ title, text }, shop)).toBe(reason));

test.each<[string, string, string, string]>([
  [
    "what keeps a part of the page",
    "Boots",
    `# Boots\nTemporarily unavailable, back soon\n${shop.split("\n")[3]}`,
    shop,
  ],
  ["a product that is out", "Boot 3", "# Boot 3\nTemporarily unavailable", shop],
  ["a product that is gone", "Boot 3", "# Boot 3\nNo longer available", shop],
  ["a product that is not sold everywhere", "Boot 3", "# Boot 3\nNot available in stores", shop],
  ["a page that says that it has moved", "Boots", "# Boots\nWe have moved to the old harbour.", shop],
  [
    "a long page",
    "Maintenance of boots",
    `We will be back. ${"Grease them. ".repeat(80)}`,
    `${shop}\n${shop}\n${shop}`,
  ],
  [
    "a page about maintenance",
    "Status",
    "Scheduled maintenance has ended.",
    `Scheduled maintenance\n${shop}`,
  ],
  ["a page about errors", "Status", "Internal server error: solved.", `Internal server error\n${shop}`],
  ["a page that was short", "Shop", "Be right back", "Open on weekdays"],
])("%s is none", (_, title, text, before) => expect(troubleOf({ title, text }, before)).toBeNull());
