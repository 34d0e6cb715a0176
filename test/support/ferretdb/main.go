// Serves the protocol of MongoDB on SQLite, for tests. Arguments: the address to listen on, the folder of the data.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// FerretDB 1.24 reads, changes and writes a document in separate steps, so that of two updates at the same time one may
// be lost; MongoDB's are atomic.
var oneAtATime sync.Mutex

func main() {
	address, folder := os.Args[1], os.Args[2]
	socket := filepath.Join(folder, "ferretdb.sock")
	// One that was killed leaves it.
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socket},
		Handler:   "sqlite",
		SQLiteURL: "file:" + folder + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		log.Fatal(err)
	}
	clients, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	go accept(clients, socket)
	// It listens from here on; who connects now is answered as soon as it runs.
	fmt.Println("ferretdb is ready")
	if err := server.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func accept(clients net.Listener, socket string) {
	for {
		client, err := clients.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(client, socket)
	}
}

func serve(client net.Conn, socket string) {
	defer client.Close()
	server, err := net.Dial("unix", socket)
	if err != nil {
		log.Print(err)
		return
	}
	defer server.Close()
	for {
		request, err := message(client)
		if err != nil {
			return
		}
		response, err := answer(server, request)
		if err != nil {
			return
		}
		if _, err := client.Write(response); err != nil {
			return
		}
	}
}

func answer(server net.Conn, request []byte) ([]byte, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	return message(server)
}

// A message of the protocol begins with its own length.
func message(from io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return nil, err
	}
	whole := make([]byte, binary.LittleEndian.Uint32(length[:]))
	copy(whole, length[:])
	_, err := io.ReadFull(from, whole[len(length):])
	return whole, err
}
