/** A time as posts of the microblog tell it: `Wed Oct 10 20:19:24 +0000 2018`. */
export function postDate(time: string | number): string {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().replace(",", "").split(" ");
  return `${weekday} ${month} ${day} ${clock} +0000 ${year}`;
}
