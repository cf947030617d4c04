// Requests to the service: whole answers, and answers that come line by line.

async function send(question, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return request(question, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function request(question, options) {
  let response;
  try {
    response = await fetch(`/api/${question}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const silence = new Error("The program does not answer; is `reversi serve` still running?");
    throw Object.assign(silence, { isSilence: true });
  }
  return accepted(response);
}

/** The response. A refusal becomes an error with the service's own message. */
async function accepted(response) {
  if (!response.ok) throw new Error((await response.json()).message);
  return response;
}

/** Asks for an object that is the same for all games. */
export async function list(question) {
  return (await request(question, {})).json();
}

/** Asks for one object. */
export async function ask(question, body, signal) {
  return (await send(question, body, signal)).json();
}

/** Asks for lines and passes each to `tell`; returns the last line, which says whether the answer is complete. */
export async function listen(question, body, signal, tell) {
  const response = await send(question, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The answer broke off.");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      if (line.type === "end") return line;
      tell(line);
    }
  }
}

/** Whether a search was only dropped because its answer is no longer wanted. */
export const isDropped = (error) => error.name === "AbortError";
