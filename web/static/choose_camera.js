/** Which camera is used and how its picture is turned: two of the settings, where they are needed. */

import { send } from "./act.js";
import { byId } from "./dom.js";

/** @import { SettingNow } from "./types.js" */

/** Let the form of the camera's page change them, where it is there. */
export function chooseCamera() {
  const form = document.getElementById("choose-camera");
  if (!form) return;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const camera = byId("which-camera", HTMLSelectElement).value;
    if (await change({ camera })) location.reload();
  };
  const turn = document.getElementById("turn");
  if (!turn) return;
  turn.onclick = async () => {
    const rotate = String((Number(turn.dataset.degrees) + 90) % 360);
    if (await change({ rotate })) turn.dataset.degrees = rotate;
  };
}

/**
 * @param {Record<string, unknown>} values
 * @returns {Promise<SettingNow[] | null>}
 */
const change = (values) => send("/api/settings", { values });
