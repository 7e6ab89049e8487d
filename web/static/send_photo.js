/** A photo on its way to the table: no larger than it is read, and with its progress. */

import { el } from "./dom.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { Refusal } from "./types.js" */

const MOST_BYTES = 10_000_000; // what the table takes
const SENT_SIDE_PX = 2000; // the longer side of a photo that is sent: the table reads no larger one
const SENT_QUALITY = 0.93;

/**
 * A photo no larger than the table reads it, without what the phone wrote beside its pixels. What this
 * browser cannot open is sent as it is: the table says why it cannot be read.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
async function smaller(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const share = Math.min(1, SENT_SIDE_PX / Math.max(bitmap.width, bitmap.height));
    if (share === 1 && file.size < MOST_BYTES) return file;
    const canvas = el("canvas", { width: Math.round(bitmap.width * share), height: Math.round(bitmap.height * share) });
    const context = canvas.getContext("2d");
    if (!context) return file;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), "image/jpeg", SENT_QUALITY));
  } catch {
    return file;
  }
}

/**
 * Send a photo; says why, and gives null, when it was refused. `fetch` would tell nothing of its progress.
 * @template {object} T the answer, as the server's route gives it
 * @param {string} path
 * @param {File} file
 * @param {HTMLInputElement} input from which it came: it says what a photo is refused for that is too large
 * @param {(share: number) => void} progress
 * @param {(refusal: Refusal) => void} [refused] told of a refusal
 * @returns {Promise<T | null>}
 */
export async function sendPhoto(path, file, input, progress, refused = () => {}) {
  const blob = await smaller(file);
  if (blob.size > MOST_BYTES) {
    toast(input.dataset.tooLarge ?? "", "refusal");
    return null;
  }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onerror = () => {
      toast(say("web.not-sent"), "refusal");
      resolve(null);
    };
    request.onload = () => {
      /** @type {T | Refusal} */
      const answer = JSON.parse(request.responseText);
      if ("says" in answer) {
        refused(answer);
        toast(answer.says, "refusal");
      }
      resolve("says" in answer ? null : answer);
    };
    request.open("POST", path);
    request.setRequestHeader("Content-Type", blob.type || "application/octet-stream");
    request.send(blob);
  });
}
