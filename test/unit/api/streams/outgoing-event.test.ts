import { OutgoingEvent } from "../../../../services/api/streams/outgoing-event.ts";
import { someEvents } from "../../../fakes/memory-log.ts";

function outgoing(text: string): OutgoingEvent {
  const [{ bodyId = "", type, timestamp } = {}] = someEvents("a", 1, 1);
  const json = JSON.stringify({ text });
  if (!type || !timestamp) throw new Error("there is no event");
  return new OutgoingEvent({
    ...{ seq: 7, id: bodyId, type, timestamp, conversation: null, sourceId: null, json },
  });
}

test.each([
  [0, 2, [0x81, 36]],
  [89, 2, [0x81, 125]],
  [90, 4, [0x81, 126, 0, 126]],
  [65_499, 4, [0x81, 126, 0xff, 0xff]],
  [65_500, 10, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])(
  "with a text of %i bytes it is one whole frame with a head of %i (RFC 6455, 5.2)",
  (length, head, bytes) => {
    const { frame, json } = outgoing("x".repeat(length));
    expect([...frame.subarray(0, head)]).toEqual(bytes);
    expect(frame.subarray(head).toString()).toBe(`{"type":"event","event":${json}}`);
  },
);

test("lengths are those of bytes, not of characters", () => {
  const { frame, json } = outgoing("ä€😀".repeat(20));
  const text = `{"type":"event","event":${json}}`;
  expect(frame.readUInt16BE(2)).toBe(Buffer.byteLength(text));
  expect(frame.subarray(4).toString()).toBe(text);
});

test("its bytes are made once", () => {
  const event = outgoing("x");
  expect(event.frame).toBe(event.frame);
  expect(event.sse).toBe(event.sse);
  expect(String(event.sse)).toBe('id: 7\ndata: {"text":"x"}\n\n');
});
