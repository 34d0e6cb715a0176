// Serves the protocol of MongoDB on SQLite, for tests. Arguments: the address to listen on, the folder of the data.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		log.Fatal(err)
	}
	// It listens from here on; who connects now is answered as soon as it runs.
	fmt.Println("ferretdb is ready")
	if err := server.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
