/** The byte order mark that some editors put at the beginning of a text. No line of a log begins with it. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Whether a text begins with the mark. */
export function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}

export function withoutMark(bytes: Buffer): Buffer {
  return hasMark(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
}
