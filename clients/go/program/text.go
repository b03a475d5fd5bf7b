package main

import (
	"fmt"
	"strings"

	pb "tarneeb/v1"
)

// What is written as clients/PROGRAM.md says, by number; 0 is what is not set.
var (
	seatTexts   = []string{"-", "N", "W", "S", "E", "V"}
	teamTexts   = []string{"-", "NS", "WE"}
	strainTexts = []string{"-", "C", "D", "H", "S", "NT"}
	rankTexts   = []string{"", "", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"}
)

func seatText(seat pb.Seat) string         { return seatTexts[seat] }
func viewerText(viewer pb.Viewer) string   { return seatTexts[viewer] }
func teamText(team pb.Team) string         { return teamTexts[team] }
func strainText(strain pb.Strain) string   { return strainTexts[strain] }
func number[N int32 | uint32](n N) string  { return fmt.Sprint(n) }
func handsText(set *pb.CardSet) string     { return joined(set.Cards, "/", cardText) }
func reasonText(r pb.RefusalReason) string { return strings.TrimPrefix(r.String(), "REFUSAL_REASON_") }

func lower(value fmt.Stringer, prefix string) string {
	return strings.ToLower(strings.TrimPrefix(value.String(), prefix))
}

func cardText(card pb.Card) string {
	if card == pb.Card_CARD_UNSPECIFIED {
		return "-"
	}
	return strainTexts[card>>4] + rankTexts[card&15]
}

func checkText(good bool) string {
	if good {
		return "yes"
	}
	return "no"
}

func joined[T any](things []T, by string, text func(T) string) string {
	if len(things) == 0 {
		return "-"
	}
	texts := make([]string, len(things))
	for index, thing := range things {
		texts[index] = text(thing)
	}
	return strings.Join(texts, by)
}

func bidText(tricks uint32, strain pb.Strain) string {
	if strain == pb.Strain_STRAIN_UNSPECIFIED {
		return number(tricks)
	}
	return number(tricks) + strainText(strain)
}

func moveText(move *pb.Move) string {
	seat := seatText(move.Seat) + ":"
	switch action := move.Action.(type) {
	case *pb.Move_Card:
		return seat + cardText(action.Card)
	case *pb.Move_Trump:
		return seat + "=" + strainText(action.Trump)
	}
	return seat + callText(move.GetCall())
}

func callMadeText(call *pb.CallMade) string { return seatText(call.Seat) + ":" + callText(call) }

// callText is of a call to make or one made: both have the same fields.
func callText(call interface {
	GetKind() pb.CallKind
	GetTricks() uint32
	GetStrain() pb.Strain
}) string {
	switch call.GetKind() {
	case pb.CallKind_CALL_KIND_BID:
		return bidText(call.GetTricks(), call.GetStrain())
	case pb.CallKind_CALL_KIND_PASS:
		return "pass"
	}
	return "double"
}

func eventsText(events []*pb.Event) string {
	var texts []string
	for _, event := range events {
		// One of a kind that is not known here says nothing.
		if text := eventText(event); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

func eventText(event *pb.Event) string {
	switch event := event.Event.(type) {
	case *pb.Event_HandDealt:
		dealt := event.HandDealt
		text := fmt.Sprintf("dealt %d %s", dealt.HandNumber, seatText(dealt.Dealer))
		if dealt.TurnedCard != pb.Card_CARD_UNSPECIFIED {
			text += " turned " + cardText(dealt.TurnedCard)
		}
		if dealt.Trump != pb.Strain_STRAIN_UNSPECIFIED {
			text += " trump " + strainText(dealt.Trump)
		}
		return text
	case *pb.Event_CallMade:
		return callMadeText(event.CallMade)
	case *pb.Event_AuctionWon:
		return "contract " + contractText(event.AuctionWon, " doubled")
	case *pb.Event_TrumpNamed:
		return seatText(event.TrumpNamed.Seat) + ":=" + strainText(event.TrumpNamed.Trump)
	case *pb.Event_CardPlayed:
		return seatText(event.CardPlayed.Seat) + ":" + cardText(event.CardPlayed.Card)
	case *pb.Event_TrickWon:
		return fmt.Sprintf("trick %d %s", event.TrickWon.TrickNumber, seatText(event.TrickWon.Seat))
	case *pb.Event_HandEnded:
		ended := event.HandEnded
		return fmt.Sprintf("ended %d %s %s",
			ended.HandNumber, resultText(ended.Result), joined(ended.Scores, ",", number))
	case *pb.Event_GameWon:
		return fmt.Sprintf("won %s %s", teamText(event.GameWon.Winner), lower(event.GameWon.Reason, "WIN_REASON_"))
	case *pb.Event_MoveUndone:
		text := fmt.Sprintf("undone %d %s", event.MoveUndone.HandNumber, moveText(event.MoveUndone.Move))
		if event.MoveUndone.HandReopened {
			text += " reopened"
		}
		return text
	}
	return ""
}

func contractText(contract *pb.Contract, doubled string) string {
	if contract == nil {
		return "-"
	}
	text := seatText(contract.Declarer) + ":" + bidText(contract.Tricks, contract.Strain)
	if contract.Doubled {
		text += doubled
	}
	return text
}

func resultText(result *pb.HandResult) string {
	if result == nil {
		return "-"
	}
	return fmt.Sprintf("%s:%s:%s", lower(result.End, "HAND_END_"),
		joined(result.Lines, "/", scoreText), seatText(result.Offender))
}

func scoreText(line *pb.ScoreLine) string {
	side, bid, made := teamText(line.GetTeam()), "-", "-"
	if _, seated := line.Side.(*pb.ScoreLine_Seat); seated {
		side = seatText(line.GetSeat())
	}
	if line.Bid != nil {
		bid = number(*line.Bid)
	}
	if line.Made != nil {
		made = "failed"
		if *line.Made {
			made = "made"
		}
	}
	return fmt.Sprintf("%s.%s.%d.%d.%s", side, bid, line.Tricks, line.Points, made)
}
