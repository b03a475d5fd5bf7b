package fairdeal_test

import (
	"bufio"
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	pb "tarneeb/v1"

	"tarneebclient/fairdeal"
)

// The page that says how deals are made has vectors, as `key value` lines with a blank line between two.
const page = "../../../docs/fair-deals.md"

func vectors(t *testing.T) []map[string]string {
	t.Helper()
	file, err := os.Open(page)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var found []map[string]string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), " ")
		switch key {
		case "seed":
			found = append(found, map[string]string{key: value})
		case "cut", "game", "hand", "commitment", "dealer", "deck":
			if len(found) > 0 {
				found[len(found)-1][key] = value
			}
		}
	}
	if len(found) != 4 {
		t.Fatalf("%s has %d vectors, not 4", page, len(found))
	}
	return found
}

func data(t *testing.T, text string) []byte {
	t.Helper()
	if text == "-" {
		return nil
	}
	found, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func deckText(cards []pb.Card) string {
	texts := make([]string, len(cards))
	for index, card := range cards {
		texts[index] = string([]byte{" CDHS"[card>>4], "  23456789TJQKA"[card&15]})
	}
	return strings.Join(texts, " ")
}

func TestVectorsOfThePage(t *testing.T) {
	for _, vector := range vectors(t) {
		number, err := strconv.ParseUint(vector["hand"], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		seed, cut, game, hand := data(t, vector["seed"]), data(t, vector["cut"]), vector["game"], uint32(number)
		if found := hex.EncodeToString(fairdeal.Commitment(seed, game, hand)); found != vector["commitment"] {
			t.Errorf("%s %d: commitment %s, not %s", game, hand, found, vector["commitment"])
		}
		dealer := "SEAT_" + strings.ToUpper(vector["dealer"])
		if found := fairdeal.FirstDealer(seed, game).String(); found != dealer {
			t.Errorf("%s %d: dealer %s, not %s", game, hand, found, dealer)
		}
		if found := deckText(fairdeal.Deck(seed, cut, game, hand)); found != vector["deck"] {
			t.Errorf("%s %d: deck\n%s, not\n%s", game, hand, found, vector["deck"])
		}
	}
}

func TestHands(t *testing.T) {
	deck := fairdeal.Deck([]byte("0123456789abcdef"), nil, "g-1", 1)
	for _, order := range []pb.DealOrder{pb.DealOrder_DEAL_ORDER_SINGLY, pb.DealOrder_DEAL_ORDER_PACKETS} {
		hands := fairdeal.Hands(deck, pb.Seat_SEAT_WEST, order)
		// South is at West's right.
		if !slices.Contains(hands[2], deck[0]) || !slices.Contains(hands[1], deck[51]) {
			t.Errorf("%s: South has no first card, or West no last one", order)
		}
		packet := slices.Contains(hands[2], deck[1])
		if packet != (order == pb.DealOrder_DEAL_ORDER_PACKETS) {
			t.Errorf("%s: the second card is South's: %t", order, packet)
		}
		for _, hand := range hands {
			if len(hand) != 13 || !slices.IsSorted(hand) {
				t.Errorf("%s: %v is no sorted hand", order, hand)
			}
		}
	}
}
