import { comparable } from "./noise.ts";

/** Characters: a page with more is none of these. */
const maxLength = 800;

/** Phrases of pages that show nothing but trouble, in the languages in which people track pages. */
const maintenance = [
  String.raw`\b(?:under(?:going)?|down for|scheduled|planned|routine|system|site|server) maintenance\b|\bmaintenance (?:mode|break|window|in progress)|^maintenance$`,
  String.raw`\b(?:we(?:['’]ll| will)|will) be (?:right )?back\b|\bbe right back\b|\bback (?:soon|shortly|online (?:soon|shortly))\b`,
  String.raw`\b(?:site|website|page|service|server) is (?:currently |temporarily )+(?:unavailable|down|offline|closed)\b|\bservice (?:temporarily )?unavailable\b|\bbad gateway\b|\bgateway time-?out\b`,
  "wartungsarbeiten|wartungsmodus|wegen wartung|sind (?:gleich|bald|in kürze) (?:wieder )?(?:zurück|für sie da)|seite ist (?:derzeit|zurzeit|vorübergehend) nicht (?:erreichbar|verfügbar)",
  "(?:en|de|site en) maintenance|maintenance (?:en cours|programmée)|nous (?:serons de retour|revenons) (?:bientôt|très vite|dans)|site (?:est )?(?:temporairement|momentanément) (?:indisponible|inaccessible)",
  "en mantenimiento|(?:tareas|trabajos) de mantenimiento|volvemos (?:pronto|enseguida)|volveremos (?:pronto|en breve)|(?:sitio|página|servicio) (?:está )?(?:temporalmente )no disponible",
  "in manutenzione|torneremo presto|em manutenção|voltaremos em breve|onderhoud(?:swerkzaamheden)?|prace konserwacyjne|przerwa techniczna|bakım çalışması",
  "технически(?:е|х) работ|на обслуживании|сайт (?:временно )?недоступен|скоро вернемся|скоро вернёмся",
  "(?:系统|系統|网站|網站|服务器|正在|停机|停機)(?:维护|維護)|维护中|維護中|暂时无法访问|メンテナンス|しばらくお待ちください|점검 ?중|서비스 점검",
  "تحت الصيانة|قيد الصيانة|أعمال صيانة|سنعود قريب",
];

const refusal = [
  String.raw`\b(?:not|no longer|isn['’]t|aren['’]t|unavailable) (?:currently |yet )?(?:available|accessible|offered|supported)? ?(?:in|from|to users in|for users in|for visitors from) (?:your|this) (?:country|region|location|area|territory)\b`,
  String.raw`\bunavailable (?:for legal reasons|due to legal reasons)\b|\b451\b.{0,40}\blegal reasons\b|\b(?:geo-?(?:blocked|restricted|restrictions?)|region-?(?:locked|blocked))\b`,
  String.raw`\b(?:access|service|content|website|site|page) (?:from|in) your (?:country|region|location) (?:is|has been|was) (?:blocked|restricted|denied|not (?:allowed|permitted|available))\b`,
  String.raw`\b(?:your (?:country|region|location)|the country (?:you are|you['’]re) in) (?:is (?:blocked|not supported|restricted)|cannot access)\b|\bunavailable (?:to|for) (?:visitors|users|readers|residents) (?:from|in|of)\b|\b(?:visitors|users|readers) (?:from|in) (?:the )?(?:european union|eu|eea|your (?:country|region))\b.{0,80}\b(?:unavailable|cannot|can['’]t|unable|not)\b|\bgdpr\b.{0,120}\b(?:unavailable|cannot (?:grant|provide)|unable)\b`,
  "in (?:ihrem|deinem) (?:land|gebiet)|in (?:ihrer|deiner) region.{0,20}nicht|(?:in|aus) (?:ihrem|deinem) land nicht (?:verfügbar|erreichbar|zugänglich)|aus rechtlichen gründen nicht (?:verfügbar|zugänglich)",
  "(?:n['’]est )?(?:pas|plus|non) (?:disponible|accessible) (?:dans|depuis) (?:votre|ton) (?:pays|région|zone)|indisponible (?:dans votre (?:pays|région)|pour des raisons (?:légales|juridiques))",
  "no (?:está |se encuentra )?disponible en (?:tu|su) (?:país|región|zona|ubicación)|no disponible por (?:motivos|razones) legales|não (?:está )?disponível (?:no seu país|na sua região)",
  "non (?:è )?disponibile (?:nel tuo paese|nella tua (?:regione|zona))|niet beschikbaar in (?:uw|jouw|je) (?:land|regio)|niedostępn[aey] w (?:twoim|państwa) (?:kraju|regionie)|(?:ülkenizde|bölgenizde) (?:kullanılamıyor|mevcut değil)",
  "недоступ(?:ен|на|но) в ваше(?:й стране|м регионе)|не доступ(?:ен|на|но) в ваше(?:й стране|м регионе)",
  "您所在的?(?:国家|地区|國家|地區).{0,12}(?:不可用|无法|無法|不支持|不提供)|(?:お住まいの|お使いの|現在の)?(?:国|地域)(?:では|からは)(?:ご?利用|アクセス|視聴)(?:いただけません|できません)|(?:국가|지역)에서는? (?:이용|사용|접속)(?:할|하실)? 수 없",
  "غير متاحة? في (?:بلدك|منطقتك)",
];

const breakdown = [
  String.raw`\berror establishing a database connection\b|\bdatabase (?:connection )?error\b|\b(?:can['’]?t|cannot|could not|unable to|failed to) connect to (?:the |local )?(?:mysql |database|db|postgres|redis|server)|\bSQLSTATE\[|\bmysqli?_(?:connect|query|real_connect)\b|\btoo many connections\b|\bPDOException\b|\bORA-\d{5}\b`,
  String.raw`\b(?:fatal|parse|uncaught|catchable) error: |\buncaught (?:exception|typeerror|error)\b|\ballowed memory size of \d+ bytes\b|\bmaximum execution time of \d+ seconds\b|\btraceback \(most recent call last\)|\bserver error in ['‘]|\bthere has been a critical error on (?:this|your) website\b|\bwhoops, looks like something went wrong\b|\bwe['’]re sorry, but something went wrong\b|\bapplication error\b`,
  String.raw`\b(?:http )?(?:error )?50[0234](?: -|:)? ?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|error|server error)\b|\binternal server error\b|\bhttp error 50[0234]\b|\berror 50[0234]\b|\borigin (?:is unreachable|dns error)\b|\bweb server is (?:down|returning an unknown error)\b`,
  String.raw`\b(?:an|a) (?:unexpected |internal |unknown |technical )?error (?:has )?occurred\b|\bsomething went wrong\b|\b(?:server|backend|upstream) (?:error|fetch failed)\b|\bguru meditation\b|\bupstream connect error\b|\bno healthy upstream\b`,
  "datenbank(?:fehler|verbindung (?:fehlgeschlagen|konnte nicht))|interner serverfehler|(?:es ist )?ein (?:unerwarteter |technischer |interner )?fehler (?:ist )?aufgetreten|technische störung",
  "erreur (?:interne du serveur|de (?:connexion à la )?base de données|lors de la connexion à la base)|une erreur (?:inattendue |technique |interne )?(?:s['’]est produite|est survenue)",
  "error (?:interno del servidor|al (?:establecer una conexión|conectar) (?:con|a) la base de datos|de (?:conexión a la )?base de datos)|(?:se ha producido|ha ocurrido|ocurrió) un error|erro (?:interno do servidor|ao (?:estabelecer|conectar).{0,30}banco de dados)|ocorreu um erro",
  "errore (?:interno del server|nello stabilire una connessione al database|di connessione al database)|si è verificato un errore|interne serverfout|er is een (?:onverwachte )?fout opgetreden|wewnętrzny błąd serwera|wystąpił (?:nieoczekiwany )?błąd|sunucu hatası|bir hata oluştu",
  "ошибка (?:сервера|базы данных|подключения к базе|соединения с базой)|внутренняя ошибка сервера|произошла (?:непредвиденная )?ошибка",
  "数据库(?:连接)?(?:错误|失败)|資料庫(?:連線)?錯誤|(?:服务器|伺服器|系统|系統)(?:内部|內部)?(?:错误|錯誤)|(?:データベース|サーバー?)(?:接続)?(?:の)?エラー|内部サーバーエラー|エラーが発生しました|(?:데이터베이스|서버) ?(?:연결 )?오류|오류가 발생",
  "خطأ في (?:قاعدة البيانات|الخادم|الاتصال)|حدث خطأ",
];

const placeholder = [
  String.raw`\bwelcome to (?:nginx|openresty|caddy|tengine|centos|apache|litespeed|almalinux|rocky linux|red hat)\b|\bif you see this page, the (?:nginx|\w+) web server is successfully installed\b`,
  String.raw`\bapache2? (?:ubuntu|debian|centos|http server|\w+ )?.{0,20}default page\b|^it works!$|\bthis is the default (?:web ?page|welcome page|website|page)\b|\btest page for the (?:apache|http|nginx)|\biis windows(?: server)?\b|\binternet information services\b`,
  String.raw`\b(?:this )?(?:domain|website|account|site) (?:has been|is|was) (?:suspended|parked|for sale|expired|disabled)\b|\baccount suspended\b|\bdefault (?:plesk|cpanel|web site|virtual host) page\b|\bfuture home of something quite cool\b|\bindex of \/|\bsite not found\b|\bthere isn['’]t a github pages site here\b|\bno such app\b|\bdomain (?:is )?parking\b`,
  "diese (?:domain|website) (?:wurde|ist) (?:gesperrt|geparkt|nicht verfügbar)|hier entsteht (?:eine|in kürze)|domaine (?:expiré|suspendu|réservé)|dominio (?:suspendido|caducado|scaduto)|domínio (?:suspenso|expirado)|домен (?:припаркован|заблокирован)|域名(?:已过期|停放)",
];

const troubles: readonly [RegExp, string][] = [
  [refusal, "The site refuses visitors of this region."],
  [maintenance, "The site shows a maintenance page."],
  [breakdown, "The site shows an error page."],
  [placeholder, "The server shows a page of its own in place of the site's."],
].map(([phrases, reason]) => [new RegExp((phrases as string[]).join("|"), "imu"), reason as string]);

/** Phrases of pages that say that nothing is there, in the languages in which people track pages. */
const absence = new RegExp(
  [
    String.raw`\b(?:page|site|url|file|document|article|product|item|content|resource|post|topic|entry|listing|event|job) (?:was |is |has |could |can |you.{0,40} )*(?:not|n['’]t|no longer|cannot) (?:be )?(?:found|available|exists?|here|there)\b`,
    String.raw`\b(?:does|do|did)(?: not|n['’]t) exist\b|\bno longer (?:exists?|available|here)\b|\bnot found\b|\bhas been (?:removed|deleted|taken down)\b|\b(?:can['’]?t|cannot|could not|couldn['’]t) (?:be found|find)\b|^(?:error |http )?404\b`,
    "nicht (?:mehr )?(?:gefunden|vorhanden|verfügbar)|existiert nicht|wurde (?:gelöscht|entfernt)|introuvable|n['’]existe (?:pas|plus)|n['’]est plus disponible|a été supprimée?",
    "no (?:se )?(?:encontrad[ao]|encontró|existe)|não (?:foi )?(?:encontrad[ao]|existe)|non (?:è stat[ao] )?trovat[ao]|non esiste|niet gevonden|bestaat niet|nie (?:została? )?znalezion|nie istnieje|bulunamadı|hittades inte|ikke funnet|ikke fundet|ei löydy",
    "не найден|не существует|удален[ао]?(?: |$)|页面不存在|找不到|不存在|見つかりません|存在しません|찾을 수 없|존재하지 않|غير موجودة?|לא נמצא",
  ].join("|"),
  "imu",
);

/**
 * Whether a page with status 200 says that nothing is there. It is as conservative as `troubleOf`; without a text before, the
 * title has to say so.
 */
export function absenceOf(
  { title, text }: { title: string; text: string },
  before: string | undefined,
): boolean {
  if (text.length > maxLength) return false;
  if (before === undefined) return absence.test(title);
  const [lines = [], known = []] = [text, before].map(each =>
    comparable(each.split("\n")).filter(line => line !== ""),
  );
  const knownLines = new Set(known);
  if (lines.slice(1).some(line => knownLines.has(line))) return false;
  return absence.test([title, ...lines].join("\n")) && !absence.test(known.join("\n"));
}

/**
 * Why a page with status 200 shows nothing but trouble: maintenance, a refusal, an error, a default page; null for any other.
 * Conservative: the page must be short, at most half as long as before, share no line with the text before below its title,
 * and contain a phrase of such pages that was not there before.
 */
export function troubleOf({ title, text }: { title: string; text: string }, before: string): string | null {
  if (text.length > maxLength || 2 * text.length > before.length) return null;
  const [lines = [], known = []] = [text, before].map(each =>
    comparable(each.split("\n")).filter(line => line !== ""),
  );
  const knownLines = new Set(known);
  if (lines.slice(1).some(line => knownLines.has(line))) return null;
  const said = [title, ...lines].join("\n");
  const former = known.join("\n");
  return troubles.find(([phrases]) => phrases.test(said) && !phrases.test(former))?.[1] ?? null;
}
