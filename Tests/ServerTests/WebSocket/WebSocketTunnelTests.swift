import HTTP
import Server
import Testing
import Wire

@Suite("Server · WebSockets in tunnels")
struct WebSocketTunnelTests {
  @Test("a socket opens inside a tunnel of the proxy")
  func tunnel() throws {
    let board = Board()
    let server = try TestServer(isProxy: true) { board.reply(to: $0) }
    let client = try server.client()

    try client.send("CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\n\r\n")
    _ = try client.receive(until: "\r\n\r\n")
    try client.send(get("/", SocketClient.handshake))
    #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
    try client.send(SocketClient.text("inside"))

    #expect(try client.receive(count: 2 + 10) == [0x81, 10] + Array("got inside".utf8))
    #expect(server.end())
  }
}
