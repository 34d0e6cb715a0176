/** Signs of currencies that are letters, as prices have them, as the source of an expression. */
const letters =
  "US\\$|CA\\$|C\\$|AU\\$|A\\$|NZ\\$|HK\\$|NT\\$|S\\$|R\\$|MX\\$|RD\\$|S/|SFr\\.?|Fr\\.|kr\\.?|zł|Kč|Ft|lei|лв\\.?|руб\\.?|грн\\.?|тг|дин\\.?|Rs\\.?|Rp\\.?|RM|TL|KD|DT|VNĐ|đ|د\\.ك|د\\.ت|د\\.ب|د\\.إ|د\\.م|ر\\.س|ر\\.ع|ج\\.م|ريال|درهم|دينار|جنيه|تومان|ریال";
export const signs = `(?<!\\p{L})(?:${letters})(?!\\p{L})|\\p{Sc}|円|元|圆|원|บาท`;

/** Codes of ISO 4217 that are no words. */
export const codes =
  "USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|CAD|AUD|NZD|INR|CNY|RMB|HKD|SGD|BRL|MXN|ZAR|TRY|KRW|AED|ILS|" +
  "TWD|THB|VND|IDR|MYR|PHP|SAR|QAR|KWD|BHD|OMR|JOD|TND|IQD|LYD|EGP|PKR|LKR|BDT|NGN|KES|GHS|UAH|RUB|KZT|ISK|RSD|ARS|CLP|UYU";

/** What stands behind an amount of money: `1.299,-`, `1 299:-` and `1,299/-` have no sign. */
export const behind = `\\s?(?:${signs})|\\s?(?:(?:${codes})\\b|(?:[Ee]uros?|[Dd]ollars?|[Ff]ranken|eur)(?!\\p{L}))|[.,:/][-–—]`;

export const moneyBefore = new RegExp(`(?:${signs}|\\b(?:${codes}))\\s?[-\\u2212]?$`, "u");
export const moneyAfter = new RegExp(`^(?:${behind})`, "u");

/** Currencies of three decimals: dinars, and the rial of Oman. */
export const ofThreeDecimals =
  /(?<!\p{L})(?:KWD|BHD|TND|OMR|JOD|IQD|LYD|KD|DT|د\.ك|د\.ت|د\.ب|ر\.ع|دينار)(?!\p{L})/u;
