/** The big screen turns: after a while it shows the next table. */

const TURN_MS = 15000;

const { lang } = document.documentElement;
const table = decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
setTimeout(() => location.replace(`/big?after=${encodeURIComponent(table)}&lang=${lang}`), TURN_MS);
