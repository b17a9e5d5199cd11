declare module 'heic-decode' {
  interface HeicImage {
    width: number
    height: number
    decode(): Promise<{ data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }>
  }
  const heic: { all(options: { buffer: Uint8Array }): Promise<HeicImage[]> }
  export = heic
}
